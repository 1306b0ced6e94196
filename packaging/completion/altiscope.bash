# bash completion of altiscope: options and their values are those that the program itself names.
_altiscope() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} help kind words=''
    help=$(QT_QPA_PLATFORM=offscreen altiscope --help 2>/dev/null)
    # "--theme <NAME>" takes one of some words, "--report <FILE.pdf|.html>" a file, and "--range <START..END>" what nobody can name.
    [[ $previous != --* ]] || kind=$(sed -nE "s/^ +$previous <([^>]*)>.*/\1/p" <<<"$help")
    if [[ $kind == NAME ]]; then
        words=$(QT_QPA_PLATFORM=offscreen altiscope "$previous" '?' 2>&1 | sed -n 's/.*Expected: //p')
    elif [[ -n $kind && $kind != FILE* ]]; then
        return
    elif [[ -z $kind && $current == -* ]]; then
        words=$(grep -oE -- '--[a-z][a-z-]*' <<<"$help")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _altiscope altiscope
