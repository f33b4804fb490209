#!/bin/sh
# The programs that the tests read our files with, and that no wheel carries: LibreOffice to
# recalculate a workbook, Chromium for the page, Poppler to look at a PDF.
set -eu
missing=""
command -v soffice >/dev/null || missing="$missing libreoffice-calc-nogui"
command -v chromium >/dev/null || missing="$missing chromium"
command -v pdftoppm >/dev/null || missing="$missing poppler-utils"
[ -n "$missing" ] || exit 0
as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"
if ! command -v apt-get >/dev/null; then
    echo "the tests need programs that this machine lacks; install what Debian calls:$missing" >&2
    exit 1
fi
echo "installing for the tests:$missing" >&2
log=$(mktemp)
if ! { $as_root apt-get update -q && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -q -y \
    --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -5 "$log" >&2
    echo "cannot install them; as root: apt-get install$missing" >&2
    exit 1
fi
rm -f "$log"
