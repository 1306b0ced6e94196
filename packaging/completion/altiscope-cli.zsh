#compdef altiscope-cli
# zsh completion of altiscope-cli: commands, options and values are those that the program's own help names.
local command='' own='' common previous=${words[CURRENT-1]}
local -a taking values
local -aU offered
local -i at
common=$(altiscope-cli --help 2>/dev/null)
taking=(${(f)"$(sed -nE 's/^  (--[a-z-]+) [^ ].*/\1/p' <<<$common)"})
for ((at = 2; at < CURRENT; ++at)); do
    if [[ ${words[at]} != -* ]]; then
        command=${words[at]}
        own=$(altiscope-cli $command --help 2>/dev/null)
        break
    fi
    ((${taking[(Ie)${words[at]}]} == 0)) || at+=1
done
# "[--format table|csv]" in the usage, "  --out FILE  where to" below; nothing follows an option without a value.
if [[ $previous == --* ]]; then
    values=(${(f)"$({ sed -n '/^usage/,/^$/p' <<<$own; sed -nE 's/^  (--[^ ]+( [^ ]+)*)(  .*)?$/\1/p' <<<$own$common } |
        grep -oE -- "$previous [A-Za-z|]+" | cut -d ' ' -f 2 | tr '|' '\n')"})
fi
if (($#values)); then
    offered=(${(M)values:#[a-z]*})
    (($#offered || ${#${(M)values:#(FILE|DIR|CAPTURE|CONFIG)}})) || return
elif [[ ${words[CURRENT]} == -* ]]; then
    offered=(${(f)"$(grep -oE -- '--[a-z][a-z-]*' <<<$own$'\n'$common)"})
elif [[ -z $command ]]; then
    offered=(${(f)"$(sed -n '/^Commands/,/^Options/s/^  \([a-z][a-z]*\) .*/\1/p' <<<$common)"})
elif ((CURRENT == at + 1)); then
    # "altiscope-cli cache list|clear"
    offered=(${(f)"$(sed -nE "s/.*altiscope-cli $command ([a-z]+(\|[a-z]+)*).*/\1/p" <<<$own | tr '|' '\n')"})
fi
if (($#offered)); then
    compadd -a offered
else
    _files
fi
