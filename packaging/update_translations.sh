#!/usr/bin/env bash
# Brings resources/i18n/altiscope_*.ts up to date with the tr() texts of the sources. New texts appear as unfinished, for a
# person to translate; texts that are gone are dropped. No line numbers are kept, so that diffs show texts only.
set -euo pipefail
cd "$(dirname "$0")/.."

lupdate="$(qmake6 -query QT_INSTALL_BINS)/lupdate"
common=(-silent -locations none -no-obsolete -I . -source-language en views app/gui)

"$lupdate" "${common[@]}" -target-language zh_CN -ts resources/i18n/altiscope_zh_CN.ts
# English needs entries for plural forms only: every other text is its own translation.
"$lupdate" "${common[@]}" -target-language en -pluralonly -ts resources/i18n/altiscope_en.ts

for file in resources/i18n/altiscope_*.ts; do
    echo "$file: $(grep -c 'type="unfinished"' "$file" || true) unfinished"
done
