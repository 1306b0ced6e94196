#!/usr/bin/env bash
# What packaging/deb_test.sh does in the bare root: /try/altiscope.deb is the package. Ends at the first thing that is wrong.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
cd /try

step() { printf '   %s\n' "$*"; }
fail() {
    echo "deb_test: $*" >&2
    exit 1
}
# expect FILE TEXT: the file has the text.
expect() { grep -q -- "$2" "$1" || fail "$1 has no $2, but: $(head -c 2000 "$1")"; }

step "what reads menus, manuals and completions"
# A root of the caller's may have one that failed.
apt-get purge -y -q altiscope >/dev/null 2>&1 || :
apt-get update -q >/dev/null
apt-get install -y -q --no-install-recommends man-db bash-completion zsh desktop-file-utils shared-mime-info >/dev/null
# Debian's small images leave manuals out.
rm -f /etc/dpkg/dpkg.cfg.d/docker

step "install, with what it depends on and nothing else"
apt-get install -y -q --no-install-recommends ./altiscope.deb >install.txt 2>&1 || fail "$(cat install.txt)"
dpkg --verify altiscope >verify.txt && [[ ! -s verify.txt ]] || fail "$(cat verify.txt)"

step "the command line"
altiscope-cli --version >version.txt
expect version.txt "$(dpkg-query -W -f='${Version}' altiscope)"
altiscope-cli generate capture --ranks 2 --steps 2 >/dev/null
altiscope-cli info capture --json >info.json
expect info.json '"state":"ok"'
altiscope-cli query capture --format csv --sql 'SELECT count(DISTINCT rank_id) AS ranks FROM slice' >ranks.csv
[[ $(tail -n 1 ranks.csv | tr -d '\r') == 2 ]] || fail "two ranks are not two: $(cat ranks.csv)"

step "the archive for hosts"
[[ -s /usr/lib/altiscope/altiscope-cli-$(dpkg --print-architecture).tar.gz ]] || fail "no archive to be put on hosts"

step "the window, without a screen"
for language in en zh_CN; do
    QT_QPA_PLATFORM=offscreen altiscope --language $language --screenshot $language.png capture 2>window.txt ||
        fail "no picture in $language: $(cat window.txt)"
    [[ $(head -c 8 $language.png | od -An -tx1 | tr -d ' ') == 89504e470d0a1a0a ]] || fail "$language.png is no picture"
    # A blank page is smaller.
    [[ $(stat -c %s $language.png) -gt 30000 ]] || fail "$language.png shows next to nothing"
done
! cmp -s en.png zh_CN.png || fail "the window has one language"

step "menu entry, icon, kinds of files"
desktop-file-validate /usr/share/applications/altiscope.desktop >desktop.txt || fail "$(cat desktop.txt)"
[[ -x $(command -v "$(sed -n 's/^Exec=\([^ ]*\).*/\1/p' /usr/share/applications/altiscope.desktop)") ]] ||
    fail "the menu entry starts a program that is not there"
icon=$(sed -n 's/^Icon=//p' /usr/share/applications/altiscope.desktop)
[[ -s /usr/share/icons/hicolor/scalable/apps/$icon.svg ]] || fail "no icon $icon"
expect /usr/share/mime/globs2 'application/vnd.altiscope.workspace+json:\*.altiscope'

step "manuals"
for name in altiscope altiscope-cli; do
    man --warnings -P cat $name >page.txt 2>warnings.txt || fail "$(cat warnings.txt)"
    [[ ! -s warnings.txt ]] || fail "man $name: $(cat warnings.txt)"
    expect page.txt --version
done
expect page.txt --sql
for language in en zh_CN; do
    [[ -s /usr/share/doc/altiscope/manual/$language/start.html ]] || fail "no manual in $language"
done

step "completion"
# completed LINE: what bash offers after it.
completed() {
    bash -c '
        source /usr/share/bash-completion/bash_completion
        read -ra COMP_WORDS <<<"$1"
        [[ $1 != *" " ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMP_LINE=$1
        _completion_loader "${COMP_WORDS[0]}" || :
        compopt() { :; }
        "_${COMP_WORDS[0]//-/_}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$1" >words.txt 2>&1
}
completed "altiscope-cli "
expect words.txt '^query$'
completed "altiscope-cli query --s"
expect words.txt '^--sql$'
completed "altiscope --scr"
expect words.txt '^--screenshot$'
completed "altiscope --view "
expect words.txt '^timeline$'
for name in altiscope altiscope-cli; do
    zsh -fc "autoload -Uz compinit; compinit -D; [[ \${_comps[$name]} == _$name ]] && autoload -Uz +X _$name" ||
        fail "zsh does not know how to complete $name"
done
zsh -fc 'autoload -Uz compinit; compinit -D; autoload -Uz +X _altiscope-cli
    compadd() { print -l -- "${(@P)2}"; }; words=(altiscope-cli query --format ""); CURRENT=4; _altiscope-cli' >words.txt 2>&1
expect words.txt '^csv$'

step "remove"
apt-get purge -y -q altiscope >remove.txt 2>&1 || fail "$(cat remove.txt)"
left=$(find / -xdev -iname '*altiscope*' -not -path '/try/*' -not -path '/root/*' -not -path '/proc/*' -not -path '/var/cache/man/*')
[[ -z $left ]] || fail "left behind: $left"
