#compdef altiscope
# zsh completion of altiscope: options and their values are those that the program itself names.
local -aU choices
case ${words[CURRENT-1]} in
    --view | --theme | --language)
        choices=(${=${"$(QT_QPA_PLATFORM=offscreen altiscope ${words[CURRENT-1]} '?' 2>&1)"##*Expected: }%%$'\n'*})
        compadd -a choices
        ;;
    --range | --select | --size) ;;
    *)
        if [[ ${words[CURRENT]} == -* ]]; then
            choices=(${(f)"$(QT_QPA_PLATFORM=offscreen altiscope --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*')"})
            compadd -a choices
        else
            _files
        fi
        ;;
esac
