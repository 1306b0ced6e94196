# bash completion of altiscope-cli: commands, options and values are those that the program's own help names.
_altiscope_cli() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' own='' words values common taking
    local -i at
    # "--format=json" comes as three words.
    if [[ $current == = ]]; then
        current=''
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    common=$(altiscope-cli --help 2>/dev/null)
    taking=$(sed -nE 's/^  (--[a-z-]+) [^ ].*/\1/p' <<<"$common")
    for ((at = 1; at < COMP_CWORD; ++at)); do
        if [[ ${COMP_WORDS[at]} != -* ]]; then
            command=${COMP_WORDS[at]}
            own=$(altiscope-cli "$command" --help 2>/dev/null)
            break
        fi
        ! grep -qxF -- "${COMP_WORDS[at]}" <<<"$taking" || at+=1
    done
    # "[--format table|csv]" in the usage, "  --out FILE  where to" below; nothing follows an option without a value.
    if [[ $previous == --* ]]; then
        values=$({ sed -n '/^usage/,/^$/p' <<<"$own"; sed -nE 's/^  (--[^ ]+( [^ ]+)*)(  .*)?$/\1/p' <<<"$own$common"; } |
            grep -oE -- "$previous [A-Za-z|]+" | cut -d ' ' -f 2 | tr '|' '\n' | awk '!seen[$0]++')
    fi
    if [[ -n $values ]]; then
        words=$(grep -xE '[a-z]+' <<<"$values")
        [[ -n $words ]] || grep -qxE 'FILE|DIR|CAPTURE|CONFIG' <<<"$values" || return 0
    elif [[ $current == -* ]]; then
        words=$(grep -ohE -- '--[a-z][a-z-]*' <<<"$own"$'\n'"$common" | sort -u)
    elif [[ -z $command ]]; then
        words=$(sed -n '/^Commands/,/^Options/s/^  \([a-z][a-z]*\) .*/\1/p' <<<"$common")
    elif ((COMP_CWORD == at + 1)); then
        # "altiscope-cli cache list|clear"
        words=$(sed -nE "s/.*altiscope-cli $command ([a-z]+(\|[a-z]+)*).*/\1/p" <<<"$own" | tr '|' '\n')
    fi
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _altiscope_cli altiscope-cli
