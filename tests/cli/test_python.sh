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
grep -A 30 -e "^FAIL:" -e "^ERROR:" "$work/stderr"
tail -n 3 "$work/stderr"
exits 0 "the examples in its words" env MENISCUS_LIBRARY="$tree/libmeniscus.so.0" PYTHONPATH="$root/python" \
    PYTHONDONTWRITEBYTECODE=1 "$python" -c 'import doctest, meniscus, sys; sys.exit(doctest.testmod(meniscus)[0])'

awk '/^```python run$/ { on = 1; next } /^```/ { on = 0 } on' "$root/docs/python.md" >"$work/manual.py"
check "the manual has programs" test "$(grep -c . "$work/manual.py")" -ge 40
exits 0 "which run, one after the other" env -C "$work" MENISCUS_LIBRARY="$tree/libmeniscus.so.0" \
    PYTHONPATH="$root/python" PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=2 "$python" manual.py
says 'did you mean "density"' "with the error that the manual names"

if command -v mypy >/dev/null 2>&1; then
    kind() { env -C "$root/python" MYPYPATH="$root/python" mypy --python-executable "$(command -v "$python")" \
        --cache-dir "$work/mypy" "$@"; }
    exits 0 "its types agree" kind -p meniscus
    cat >"$work/user.py" <<'PYTHON'
import meniscus
world = meniscus.World("crown-small", backend="cpu")
energy: float = world.stats["kinetic_energy"]
world.step(2.5)
PYTHON
    exits 1 "and find a user's mistake" kind "$work/user.py"
    check "the very one" grep -q 'user.py:4: .*"float"; expected "int"' "$work/stdout"
else
    skip "types: there is no mypy"
fi

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
