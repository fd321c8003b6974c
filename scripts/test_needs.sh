#!/usr/bin/env bash
# What the tests need beyond Python: Chromium and a font with Chinese characters for the page, bubblewrap for checks.
set -euo pipefail

packages=()
[[ -x "${TORCHNOTES_CHROMIUM:-}" ]] || type -P chromium >/dev/null || packages+=(chromium)
{ type -P fc-list && [[ -n "$(fc-list :lang=zh-cn family)" ]]; } >/dev/null 2>&1 || packages+=(fontconfig fonts-noto-cjk)
type -P bwrap >/dev/null || [[ "$(uname)" != Linux ]] || packages+=(bubblewrap)
((${#packages[@]})) || exit 0

as_root=()
[[ $EUID -eq 0 ]] || as_root=(sudo -n)
if ! type -P apt-get >/dev/null || ! "${as_root[@]}" true 2>/dev/null; then
    echo "the tests need ${packages[*]}; install them (Debian: apt-get install ${packages[*]})" >&2
    exit 1
fi
echo "installing ${packages[*]} for the tests" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get -qq update
"${as_root[@]}" apt-get -qq install --no-install-recommends "${packages[@]}" >/dev/null
