# Runs a test, which is what follows the candidate, and exits with 64, plus 1 if it has changed the candidate, plus 2 if
# something that it has started is still there. What belongs to a run knows its TMPDIR.
candidate=$1
shift
if [ -d "$candidate" ]; then
    # What a build makes in a folder is no change.
    before=
    "$@" </dev/null
else
    before=$(cksum <"$candidate")
    "$@" <"$candidate"
fi
found=64
[ -z "$before" ] || [ "$before" = "$(cksum <"$candidate" 2>/dev/null)" ] || found=65
left() {
    grep -lzxF "TMPDIR=$TMPDIR" "$@" 2>/dev/null | grep -qvx "/proc/$$/environ"
}
# The processes that do this are none of those.
set -- /proc/[0-9]*/environ
if left "$@"; then
    # What was only about to end is not meant.
    sleep 0.2
    left "$@" && found=$((found + 2))
fi
exit $found
