#!/bin/sh
# Installs the Debian packages that are missing for building and testing; says nothing when there are none.
#   tools/setup.sh          what the build and the tests need
#   tools/setup.sh build    what the build needs
#   tools/setup.sh --print  only names what is missing
# On systems without dpkg it leaves the packages to the user: CMake names what it cannot find.
set -eu

needed="build-essential cmake file ninja-build pkg-config libyaml-dev libhdf5-dev libode-dev zlib1g-dev
libpng-dev libembree-dev libcivetweb-dev ocl-icd-opencl-dev opencl-headers"
tests="clang clang-format clang-tidy libomp-14-dev libclang-rt-14-dev libcmocka-dev pocl-opencl-icd git ca-certificates
python3 python3-cffi python3-numpy python3-setuptools python3-wheel python3-pip"
# python3-vtk9 reads frames back, chromium and npm serve the test of the page, nbclient and matplotlib the notebooks and
# plots, mypy checks the package's types; these tests are left out without them.
optional="python3-vtk9 python3-nbclient python3-ipykernel python3-matplotlib mypy"
command -v chromium >/dev/null 2>&1 || optional="$optional chromium"
command -v npm >/dev/null 2>&1 || optional="$optional nodejs npm"

[ "${1:-}" != build ] || tests="" optional=""

command -v dpkg-query >/dev/null 2>&1 || exit 0

missing() {
    for package in "$@"; do
        state=$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null || true)
        case "$state" in
            ii*) ;;
            *) printf '%s ' "$package" ;;
        esac
    done
}

# The numbered packages follow the distribution's compiler; elsewhere the unnumbered ones bring the same files.
available() {
    for package in "$@"; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            printf '%s ' "$package"
        else
            plain=$(printf '%s' "$package" | sed 's/-14-/-/')
            [ "$plain" = "$package" ] || ! apt-cache show "$plain" >/dev/null 2>&1 || printf '%s ' "$plain"
        fi
    done
}

# shellcheck disable=SC2086 # lists of words
required=$(missing $needed $tests)
# shellcheck disable=SC2086
extra=$(missing $optional)
if [ "${1:-}" = --print ]; then
    [ -z "$required$extra" ] || echo "$required$extra"
    exit 0
fi
# Do not ask for root for an optional package alone.
[ -n "$required" ] || exit 0

root=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "setup: these packages are missing, and there is no sudo to install them: $required" >&2
        exit 1
    fi
    root=sudo
fi

echo "setup: installing $required$extra"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
fail() {
    cat "$log" >&2
    echo "setup: $1 failed" >&2
    exit 1
}
$root apt-get update -qq >"$log" 2>&1 || fail "apt-get update"
# shellcheck disable=SC2046,SC2086
$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(available $required $extra) \
    >"$log" 2>&1 ||
    fail "apt-get install"
