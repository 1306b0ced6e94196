# bash completion of altiscope-cli: commands, options and values are those that the program's own help names.
_altiscope_cli() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' value help
    local -i at
    for ((at = 1; at < COMP_CWORD; ++at)); do
        if [[ ${COMP_WORDS[at]} != -* ]]; then
            command=${COMP_WORDS[at]}
            break
        fi
    done
    help=$(altiscope-cli --help 2>/dev/null; [[ -z $command ]] || altiscope-cli "$command" --help 2>/dev/null)
    # "--format text|db" in the help, or "--out FILE"; nothing stands behind an option without a value.
    value=$([[ $previous != --* ]] || sed -nE "s/.*(^|[^a-z-])$previous ([a-z]+(\|[a-z]+)+|[A-Z]+).*/\2/p" <<<"$help" | tail -n 1)
    case $value in
        *'|'*) words=${value//|/ } ;;
        FILE | DIR | CAPTURE | CONFIG) ;;
        ?*) return ;;
        *)
            if [[ $current == -* ]]; then
                words=$(grep -oE -- '--[a-z][a-z-]*' <<<"$help" | sort -u)
            elif [[ -z $command ]]; then
                words=$(sed -n '/^Commands/,/^Options/s/^  \([a-z][a-z]*\) .*/\1/p' <<<"$help")
            elif ((COMP_CWORD == at + 1)); then
                # "altiscope-cli cache list|clear"
                words=$(sed -nE "s/.*altiscope-cli $command ([a-z]+(\|[a-z]+)*).*/\1/p" <<<"$help" | tr '|' '\n')
            fi
            ;;
    esac
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _altiscope_cli altiscope-cli
