#!/bin/sh
# meniscus plot: charts of one and several runs, and what it refuses.
. "$(dirname "$0")/lib.sh"

exits 0 "a run" "$MENISCUS" run "$work/small.yaml" -o "$work/one" -q --steps 20
exits 0 "another" "$MENISCUS" run "$work/small.yaml" -o "$work/two" -q --steps 20 --set "gravity=[0, -5, 0]"
exits 0 "measures" "$MENISCUS" measure "$work/one" shape front -q
# size FILE: width and height of a PNG.
size() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'; }
exits 0 "the usual columns" "$MENISCUS" plot "$work/one"
check "a picture in the run" test -s "$work/one/plot.png"
exits 2 "a picture that is there" "$MENISCUS" plot "$work/one"
says "--overwrite" "is kept"
exits 0 "two runs, columns of two tables" "$MENISCUS" plot "$work/one" measure:x_max max_speed "$work/one" \
    --size 640x360 -o "$work/a.png"
check "of the size asked for" test "$(size "$work/a.png")" = 640x360
exits 0 "two runs" "$MENISCUS" plot "$work/one" "$work/two" kinetic_energy --log --title both -o "$work/b.png"
exits 0 "again" "$MENISCUS" plot "$work/one" "$work/two" kinetic_energy --log --title both -o "$work/c.png"
check "the same picture" cmp "$work/b.png" "$work/c.png"
exits 0 "with other names in its legend" "$MENISCUS" plot "$work/one" "$work/two" kinetic_energy --log --title both \
    --label water --label "less weight" -o "$work/g.png"
check "is another picture" sh -c '! cmp -s "$1" "$2"' sh "$work/b.png" "$work/g.png"
exits 2 "one name for two runs" "$MENISCUS" plot "$work/one" "$work/two" max_speed --label water -o "$work/e.png"
says "given 1 times for 2 runs" "says so"
exits 2 "a name that is too long" "$MENISCUS" plot "$work/one" --label "$(printf '%061d' 0)" -o "$work/e.png"
says "a name of 61 bytes does not fit into a legend; expected 1 to 60" "how long it is"
exits 2 "a name of nothing" "$MENISCUS" plot "$work/one" --label "" -o "$work/e.png"
exits 0 "one run" "$MENISCUS" plot "$work/one" max_speed -o "$work/h.png"
exits 0 "one run with a name" "$MENISCUS" plot "$work/one" max_speed --label water -o "$work/i.png"
check "shows it" sh -c '! cmp -s "$1" "$2"' sh "$work/h.png" "$work/i.png"
exits 0 "a table alone, over another column" "$MENISCUS" plot "$work/one/stats.csv" potential_energy \
    --x kinetic_energy -o "$work/d.png"
exits 2 "an unknown column" "$MENISCUS" plot "$work/one" kinetic_enrgy -o "$work/e.png"
says "did you mean 'kinetic_energy'?" "names the nearest"
exits 2 "a table that is not there" "$MENISCUS" plot "$work/one" bodies:ship:y -o "$work/e.png"
exits 2 "no run" "$MENISCUS" plot "$work/nothing" -o "$work/e.png"
says "is not a run" "says so"
exits 2 "an unknown axis" "$MENISCUS" plot "$work/one" max_speed --x tme -o "$work/e.png"
exits 2 "a name of another format" "$MENISCUS" plot "$work/one" max_speed -o "$work/e.jpg"
says "expected a name that ends in .png" "says so"
check "nothing is left of what failed" test ! -e "$work/e.png" -a ! -e "$work/e.jpg"
# Rows and numbers that cannot be drawn are named.
printf 'step,time,a\n1,0,-1\n2,0.1\n3,0.2,5\n4,0.3,6,7\n' >"$work/torn.csv"
exits 0 "a torn table" "$MENISCUS" plot "$work/torn.csv" a --log -o "$work/torn.png"
says "torn.csv:3: warning: 2 rows have not as many columns as the head and are left out" "names the rows"
says "1 of 2 values of 'a' are not above 0" "counts what has no logarithm"
printf 'step,time,a\n1,0,-1\n' >"$work/torn.csv"
exits 2 "nothing above 0" "$MENISCUS" plot "$work/torn.csv" a --log -o "$work/e.png"
says "there is nothing to draw" "says so"
printf 'step,time,a\n' >"$work/torn.csv"
exits 2 "a table without rows" "$MENISCUS" plot "$work/torn.csv" a -o "$work/e.png"
# Files that may not grow that large: no signal, but a message.
(ulimit -f 1 && exec "$MENISCUS" plot "$work/one" -o "$work/e.png") >"$work/stdout" 2>"$work/stderr"
check "a limit on the size of files ends with 1" test $? -eq 1
says "File too large" "and says why"
check "without a picture" test ! -e "$work/e.png"
# What a case measured over time; whether it is within its bars is not asked here.
"$MENISCUS" validate laplace-merge -o "$work/curves" -q >/dev/null 2>&1
exits 0 "a curve of a case" "$MENISCUS" plot "$work/curves/laplace-merge-neck.csv" radius -o "$work/f.png"
exits 1 "curves into a file" "$MENISCUS" validate laplace-merge -o "$work/small.yaml" -q
says "cannot write" "says so"
"$MENISCUS" completion bash >"$work/completion"
answer=$(bash -c '. "$1"; COMP_WORDS=("$2" plot "$3" kinetic); COMP_CWORD=3; _meniscus; echo "${COMPREPLY[*]}"' bash \
    "$work/completion" "$MENISCUS" "$work/one")
check "bash completes columns" test "$answer" = "kinetic_energy"
finish
