#!/bin/sh
# The Debian package and the tarball hold a tool that runs and finds its scenes, and libraries with their packages.
. "$(dirname "$0")/lib.sh"
tree=$(cd "$(dirname "$MENISCUS")" && pwd)
kinds=TGZ
if command -v dpkg-deb >/dev/null 2>&1 && command -v dpkg-shlibdeps >/dev/null 2>&1; then kinds="DEB;TGZ"; fi
exits 0 "packages" env -C "$tree" cpack -G "$kinds" -B "$work/packages"
mkdir "$work/tar"
exits 0 "the tarball opens" tar -xzf "$work"/packages/meniscus-*.tar.gz -C "$work/tar" --strip-components=1
# Below usr, or at the top: as the generator of the tarball likes it.
bin=$(find "$work/tar" -path '*/bin/meniscus')
exits 0 "its tool runs a scene of its own" env -u MENISCUS_SCENES "$bin" run crown-small --steps 1 -q -o "$work/run"
check "it has the shared library" test -n "$(find "$work/tar" -name 'libmeniscus.so.0')"
if [ "$kinds" != TGZ ]; then
    exits 0 "the Debian package opens" dpkg-deb -x "$work"/packages/meniscus_*.deb "$work/deb"
    exits 0 "it tells what it needs" dpkg-deb -f "$work"/packages/meniscus_*.deb Depends
    says "libyaml" "its libraries"
    for name in bin/meniscus lib/libmeniscus.so.0 lib/pkgconfig/meniscus.pc share/man/man3/meniscus.3; do
        check "it has /usr/$name" test -n "$(find "$work/deb/usr" -path "*/$(basename "$name")")"
    done
else
    skip "the Debian package: dpkg-dev is not there"
fi
finish
