#compdef altiscope-cli
# zsh completion of altiscope-cli: commands, options and values are those that the program's own help names.
local command='' help value previous=${words[CURRENT-1]}
local -i at
for ((at = 2; at < CURRENT; ++at)); do
    if [[ ${words[at]} != -* ]]; then
        command=${words[at]}
        break
    fi
done
help=$({ altiscope-cli --help; [[ -z $command ]] || altiscope-cli $command --help } 2>/dev/null)
# "--format text|db" in the help, or "--out FILE"; nothing stands behind an option without a value.
value=$([[ $previous != --* ]] ||
    sed -nE "s/.*(^|[^a-z-])$previous ([a-z]+(\|[a-z]+)+|[A-Z]+).*/\2/p" <<<$help | tail -n 1)
local -aU offered
case $value in
    *'|'*) offered=(${(s:|:)value}) ;;
    FILE | DIR | CAPTURE | CONFIG) ;;
    ?*) return ;;
    *)
        if [[ ${words[CURRENT]} == -* ]]; then
            offered=(${(f)"$(grep -oE -- '--[a-z][a-z-]*' <<<$help)"})
        elif [[ -z $command ]]; then
            offered=(${(f)"$(sed -n '/^Commands/,/^Options/s/^  \([a-z][a-z]*\) .*/\1/p' <<<$help)"})
        elif ((CURRENT == at + 1)); then
            # "altiscope-cli cache list|clear"
            offered=(${(f)"$(sed -nE "s/.*altiscope-cli $command ([a-z]+(\|[a-z]+)*).*/\1/p" <<<$help | tr '|' '\n')"})
        fi
        ;;
esac
if (($#offered)); then
    compadd -a offered
else
    _files
fi
