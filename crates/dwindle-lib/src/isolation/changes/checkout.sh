# Runs a command in a checkout of a commit to which a patch was applied: repository, commit, patch, command.
#
# The checkout is a clone that borrows the objects of the repository, in which nothing is written. There is one for each runner;
# it is brought back to the commit, and whatever a command has left in it goes. Exit code 125 says that this did not work.
repository=$1 commit=$2 patch=$3
shift 3
tree=${patch%/*/*/*}/tree
# Those of a repository whose hook runs this. Nothing is fetched into a repository that has not all of its objects.
unset $(git rev-parse --local-env-vars) GIT_EXTERNAL_DIFF
export GIT_NO_LAZY_FETCH=1
# Whole, or not there: a run that is not needed any more is killed anywhere, and without its attributes a checkout has other line
# ends.
begin() {
  rm -rf "$tree.new" &&
    git clone --quiet --shared --no-checkout "$repository" "$tree.new" &&
    if [ -f "$repository/info/attributes" ]; then
      mkdir -p "$tree.new/.git/info" && cp "$repository/info/attributes" "$tree.new/.git/info/"
    fi && mv "$tree.new" "$tree"
}
prepare() {
  if [ -d "$tree/.git/objects" ]; then
    rm -f "$tree/.git/index.lock"
  else
    rm -rf "$tree" && begin
  fi && {
    { git -C "$tree" reset --quiet --hard "$commit" && git -C "$tree" clean -ffdxq; } ||
      # A command has broken it.
      { chmod -R u+rwX "$tree"; rm -rf "$tree" && begin && git -C "$tree" reset --quiet --hard "$commit"; }
  } && if [ -s "$patch" ]; then
    git -C "$tree" apply --whitespace=nowarn "$patch"
  fi
}
prepare >&2 || exit 125
# Without it nothing can be said; a variant does not pass because of that.
[ -x "$1" ] || exit 125
cd "$tree" || exit 125
# A script gets the path of the variant, which is the checkout.
[ "$#" = 2 ] && [ "$2" = "$patch" ] && set -- "$1" "$tree"
exec "$@" </dev/null
