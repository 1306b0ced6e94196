#compdef altiscope-cli
# zsh completion of altiscope-cli: commands and options are those that the program's own help names.
local command='' word
for word in ${words[2,CURRENT-1]}; do
    if [[ $word != -* ]]; then
        command=$word
        break
    fi
done
if [[ ${words[CURRENT]} == -* ]]; then
    local -aU options
    options=(${(f)"$({ altiscope-cli --help; [[ -z $command ]] || altiscope-cli $command --help } 2>/dev/null |
        grep -oE -- '--[a-z][a-z-]*')"})
    compadd -a options
elif [[ -z $command ]]; then
    local -a commands
    commands=(${(f)"$(altiscope-cli --help 2>/dev/null | sed -n '/^Commands/,/^Options/s/^  \([a-z][a-z]*\) .*/\1/p')"})
    compadd -a commands
else
    _files
fi
