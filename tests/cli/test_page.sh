#!/bin/sh
# The page of `meniscus view` in headless Chromium, driven by playwright-core, and that its bundle is made of its
# sources. What is missing is said and left out: Chromium and Node come from the distribution, the rest from npm.
# Screenshots stay in build/page.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
page=$root/build/page
mkdir -p "$page"

leave_out() {
    skip "$1"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || leave_out "there is no Node: no test of the page"
cp "$root/view/package.json" "$root/view/package-lock.json" "$page"
if ! cmp -s "$page/package-lock.json" "$page/installed"; then
    (cd "$page" && timeout 120 npm ci --no-audit --no-fund >npm.log 2>&1) ||
        leave_out "npm cannot fetch playwright-core: no test of the page"
    cp "$page/package-lock.json" "$page/installed"
fi

cp -r "$root/view/src" "$page"
(cd "$page" && npm run --silent build >build.log 2>&1)
check "the bundle is made of its sources" cmp "$page/dist/app.js" "$root/view/dist/app.js"
check "and the style too" cmp "$page/dist/app.css" "$root/view/dist/app.css"

"$MENISCUS" view --no-browser --address nowhere --token 12345678 >/dev/null 2>"$work/why"
! grep -q "built without civetweb" "$work/why" || leave_out "this program was built without civetweb: no viewer"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$chromium" ] || leave_out "there is no Chromium: no test of the page"
rm -f "$page"/*.png
timeout 300 node "$root/tests/cli/page_check.mjs" "$MENISCUS" "$chromium" "$work" "$page" "$page" >"$work/page" 2>&1
code=$?
cat "$work/page"
counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/page")
[ -n "$counts" ] || { fail "the page's test ended with $code"; counts="0 0"; }
passed=$((passed + ${counts% *}))
failed=$((failed + ${counts#* }))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
