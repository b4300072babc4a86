#!/bin/sh
# The Python package: its own tests in the source tree, then as a wheel that was built and installed without network,
# far from the source tree.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
find_python "the Python package"
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY
export MENISCUS
exits 0 "the tests of the package" env MENISCUS_LIBRARY="$tree/libmeniscus.so.0" PYTHONPATH="$root/python" \
    PYTHONDONTWRITEBYTECODE=1 "$python" -m unittest discover -s "$root/python/tests"
tail -n 3 "$work/stderr"
exits 0 "the examples in its words" env MENISCUS_LIBRARY="$tree/libmeniscus.so.0" PYTHONPATH="$root/python" \
    PYTHONDONTWRITEBYTECODE=1 "$python" -c 'import doctest, meniscus, sys; sys.exit(doctest.testmod(meniscus)[0])'

if "$python" -c 'import setuptools, wheel' 2>/dev/null && "$python" -c 'import pip' 2>/dev/null; then
    cp -r "$root/python" "$work/python"
    mkdir "$work/include" && cp -r "$root/include/meniscus" "$work/include/" && cp -r "$root/scenes" "$work/"
    exits 0 "a wheel without network" env MENISCUS_LIBRARY="$tree/libmeniscus.so.0" "$python" -m pip wheel \
        --no-build-isolation --no-index --no-deps -w "$work/wheels" "$work/python"
    exits 0 "it is installed" "$python" -m pip install --no-index --no-deps --target "$work/site" "$work"/wheels/*.whl
    rm -rf "$work/python" "$work/include" "$work/scenes"
    exits 0 "and runs a shipped scene" env -C "$work" -u MENISCUS_LIBRARY PYTHONPATH="$work/site" "$python" -c '
import meniscus
world = meniscus.World("crown-small", threads=2)
world.step(2)
print(world.particles, len(meniscus.scenes()), meniscus.__file__)'
    says "$work/site" "from where it was installed"
else
    skip "a wheel: pip, wheel and setuptools are not there"
fi
finish
