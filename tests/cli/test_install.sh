#!/bin/sh
# What is installed serves programs of others, also after its folder was moved: with pkg-config and CMake, shared and
# static, in C and C++.
. "$(dirname "$0")/lib.sh"
tree=$(dirname "$MENISCUS")
root=$(cd "$(dirname "$0")/../.." && pwd)

exits 0 "install" cmake --install "$tree" --prefix "$work/first"
prefix="$work/moved away"
mv "$work/first" "$prefix"
libs=$(dirname "$(find "$prefix" -name libmeniscus.a)")
for name in bin/meniscus include/meniscus/meniscus.h share/man/man1/meniscus.1 share/man/man3/meniscus.3 \
    share/bash-completion/completions/meniscus share/zsh/site-functions/_meniscus \
    share/fish/vendor_completions.d/meniscus.fish share/meniscus/scenes/basics/dam-30k.yaml \
    share/meniscus/examples/dam.c; do
    check "there is $name" test -e "$prefix/$name"
done
check "no file knows the folder it was installed to" test -z "$(grep -rlF "$work/first" "$prefix")"
check "no package knows the folder it was built in" test -z "$(grep -rlF "$tree" "$libs/cmake" "$libs/pkgconfig")"

# Scenes are found by name beside the program; it is told of none elsewhere.
exits 0 "the moved tool finds its scenes" env -u MENISCUS_SCENES "$prefix/bin/meniscus" list scenes
check "in its own folder" grep -q "crown-small" "$work/stdout"
exits 0 "and runs one" "$prefix/bin/meniscus" run crown-small --steps 1 -q -o "$work/run"

# Only what the header declares can be seen.
declared=$(sed -n 's/^MN_API.*[ *]\(mn_[a-z_]*\)(.*/\1/p' "$root/include/meniscus/meniscus.h" | sort -u)
if [ -e "$libs/libmeniscus.so" ]; then
    seen=$(nm -D --defined-only "$libs/libmeniscus.so" | awk '$3 !~ /^[.]gomp/ { print $3 }' | sort -u)
    check "the shared library shows what the header declares, and nothing else" test "$seen" = "$declared"
    check "it has a version" test -e "$libs/libmeniscus.so.0"
fi
seen=$(nm --defined-only "$libs/libmeniscus.a" | awk '$2 ~ /[TBDR]/ { print $3 }' | sort -u)
check "so does the static one" test "$seen" = "$declared"

# The examples, by CMake.
for kind in "shared as C" "static as C++"; do
    case $kind in *static*) static=ON ;; *) static=OFF ;; esac
    case $kind in *C++) cxx=ON ;; *) cxx=OFF ;; esac
    out=$work/examples-$static
    exits 0 "CMake finds it, $kind" cmake -S "$prefix/share/meniscus/examples" -B "$out" -DCMAKE_PREFIX_PATH="$prefix" \
        -DWITH_STATIC=$static -DAS_CXX=$cxx
    exits 0 "the examples build, $kind" cmake --build "$out" -j 2
    for name in dam force watch pour resume measure couple; do
        exits 0 "$name runs, $kind" env -C "$out" OMP_NUM_THREADS=2 "./$name"
    done
done

# One of them by pkg-config: shared in C, static in C++.
PKG_CONFIG_PATH=$libs/pkgconfig
export PKG_CONFIG_PATH
example="$prefix/share/meniscus/examples/dam.c"
# shellcheck disable=SC2046 # flags are words
eval exits 0 '"pkg-config serves the shared one"' cc '"$example"' -o '"$work/dam"' \
    $(pkg-config --cflags --libs meniscus)
exits 0 "and the program runs" env LD_LIBRARY_PATH="$libs" "$work/dam"
check "with the particles of its scene" grep -q "1134 particles" "$work/stdout"
# shellcheck disable=SC2046
eval exits 0 '"pkg-config serves the static one"' c++ -x c++ '"$example"' -x none -o '"$work/dam-static"' \
    $(pkg-config --static --cflags --libs meniscus | sed 's/-lmeniscus/-l:libmeniscus.a/')
exits 0 "and it runs without the shared one" "$work/dam-static"
finish
