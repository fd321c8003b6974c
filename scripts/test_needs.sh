#!/usr/bin/env bash
# What the browser tests need beyond Python: Chromium, and a font with Chinese characters.
set -euo pipefail

packages=()
[[ -x "${TORCHNOTES_CHROMIUM:-}" ]] || type -P chromium >/dev/null || packages+=(chromium)
{ type -P fc-list && [[ -n "$(fc-list :lang=zh-cn family)" ]]; } >/dev/null 2>&1 || packages+=(fontconfig fonts-noto-cjk)
((${#packages[@]})) || exit 0

as_root=()
[[ $EUID -eq 0 ]] || as_root=(sudo -n)
if ! type -P apt-get >/dev/null || ! "${as_root[@]}" true 2>/dev/null; then
    echo "the browser tests need ${packages[*]}; install them (Debian: apt-get install ${packages[*]})" >&2
    exit 1
fi
echo "installing ${packages[*]} for the browser tests" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get -qq update
"${as_root[@]}" apt-get -qq install --no-install-recommends "${packages[@]}" >/dev/null
