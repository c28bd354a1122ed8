#!/usr/bin/env bash
# Builds dist/evenhand-VERSION-macos-ARCH.dmg, on a Mac with Python 3.11 or newer and Xcode's command line tools.
# It is signed ad hoc only: to pass it on, set EVENHAND_IDENTITY to the name of a "Developer ID Application" certificate.
set -euo pipefail
cd "$(dirname "$0")/../.."

make package-env
python=build/venv/bin/python
"$python" -m installer.build
version=$("$python" -c "from installer.project import facts; print(facts().version)")
app=build/package/dist/Evenhand.app
# Beside the executable may lie code only, so the wheel lies with the resources and is found by a link.
mkdir -p "$app/Contents/Resources/wheels" dist
cp build/package/wheel/*.whl "$app/Contents/Resources/wheels/"
ln -s ../Resources/wheels "$app/Contents/MacOS/wheels"
codesign --force --deep --options runtime --sign "${EVENHAND_IDENTITY:--}" "$app"

image=dist/evenhand-$version-macos-$(uname -m).dmg
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp -R "$app" "$stage/"
ln -s /Applications "$stage/Applications"
hdiutil create -volname "Evenhand $version" -srcfolder "$stage" -format UDZO -ov "$image"
(cd dist && shasum -a 256 "$(basename "$image")" >SHA256SUMS)
echo "Made $image"
