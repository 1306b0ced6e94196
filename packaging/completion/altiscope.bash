# bash completion of altiscope: options and their values are those that the program itself names.
_altiscope() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words=''
    case $previous in
        --view | --theme | --language)
            words=$(QT_QPA_PLATFORM=offscreen altiscope "$previous" '?' 2>&1 | sed -n 's/.*Expected: //p')
            ;;
        --range | --select | --size) return ;;
        *)
            if [[ $current != -* ]]; then
                compopt -o filenames
                mapfile -t COMPREPLY < <(compgen -f -- "$current")
                return
            fi
            words=$(QT_QPA_PLATFORM=offscreen altiscope --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*')
            ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _altiscope altiscope
