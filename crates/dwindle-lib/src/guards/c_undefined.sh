# Succeeds if nothing shows that the C program in "$1" has undefined behaviour. CFLAGS are for all compilers.
file=$1
export LC_ALL=C ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=0
refuse() { echo "refused: $1" >&2; exit 1; }

# Warnings that mean undefined behaviour, and those about what only old C allows.
both='-Wall -Wextra -Werror=uninitialized -Werror=implicit-function-declaration -Werror=implicit-int
-Werror=int-conversion -Werror=incompatible-pointer-types -Werror=return-type -Werror=array-bounds
-Werror=shift-count-overflow -Werror=shift-count-negative -Werror=div-by-zero -Werror=format -Werror=overflow
-Werror=nonnull -Werror=main'
of_gcc='-O2 -Werror=return-local-addr -Werror=free-nonheap-object -Werror=stringop-overflow
-Werror=aggressive-loop-optimizations -Werror=sequence-point'
of_clang='-O1 -Wno-unknown-warning-option -Werror=sometimes-uninitialized -Werror=unsequenced
-Werror=return-stack-address'
sanitizers='-g -O0 -fsanitize=undefined,address -fno-sanitize-recover=all'

# Runs a program that was built with sanitizers; what it prints and its exit code go to "$1.out".
run() {
  "./$1" >"$1.out" 2>"$1.err" </dev/null
  code=$?
  grep -Eq 'runtime error:|ERROR: AddressSanitizer' "$1.err" && { cat "$1.err" >&2; refuse "a sanitizer found an error"; }
  echo "exit code $code" >>"$1.out"
}

# Whether the compiler builds any program with sanitizers: their libraries are a package of its own in some systems.
sanitizes() {
  echo 'int main(void) { return 0; }' >guard.other.c
  "$compiler" $CFLAGS -w $sanitizers -o guard.other guard.other.c 2>/dev/null
}

ran=
for compiler in gcc clang; do
  command -v "$compiler" >/dev/null || continue
  case $compiler in gcc) own=$of_gcc ;; *) own=$of_clang ;; esac
  "$compiler" $CFLAGS $both $own -c -o guard.o "$file" || refuse "$compiler warns"
  # What is read before it is written differs between these two.
  for fill in zero pattern; do
    "$compiler" $CFLAGS -w $sanitizers -ftrivial-auto-var-init=$fill -o "guard.$fill" "$file" -lm 2>guard.log ||
      "$compiler" $CFLAGS -w $sanitizers -o "guard.$fill" "$file" -lm 2>guard.log ||
      { sanitizes || continue 2; cat guard.log >&2; refuse "$compiler cannot build it with sanitizers"; }
    run "guard.$fill"
  done
  cmp -s guard.zero.out guard.pattern.out || refuse "it reads what it has not written"
  ran=yes
done
[ "$ran" ] || { cat guard.log >&2; refuse "no compiler here builds programs with sanitizers"; }
exit 0
