# bash completion of altiscope-cli: commands and options are those that the program's own help names.
_altiscope_cli() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' word
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $word != -* ]]; then
            command=$word
            break
        fi
    done
    case $previous in
        --format)
            case $command in
                query) mapfile -t COMPREPLY < <(compgen -W 'table csv json' -- "$current") ;;
                generate) mapfile -t COMPREPLY < <(compgen -W 'text db cluster mindspore snapshot raw' -- "$current") ;;
            esac
            return
            ;;
        --prefer)
            mapfile -t COMPREPLY < <(compgen -W 'text db' -- "$current")
            return
            ;;
        --model)
            mapfile -t COMPREPLY < <(compgen -W 'transformer resnet' -- "$current")
            return
            ;;
        --sql | --range | --ranks | --tracks | --jobs | --set | --seed | --size | --steps | --layers | --limit | --offset) return ;;
    esac
    if [[ $current == -* ]]; then
        local help
        help=$(altiscope-cli --help 2>/dev/null; [[ -z $command ]] || altiscope-cli "$command" --help 2>/dev/null)
        mapfile -t COMPREPLY < <(compgen -W "$(grep -oE -- '--[a-z][a-z-]*' <<<"$help" | sort -u)" -- "$current")
    elif [[ -z $command ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(altiscope-cli --help 2>/dev/null | sed -n '/^Commands/,/^Options/s/^  \([a-z][a-z]*\) .*/\1/p')" -- "$current")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _altiscope_cli altiscope-cli
