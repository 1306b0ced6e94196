#compdef altiscope
# zsh completion of altiscope: options and their values are those that the program itself names.
local help kind='' previous=${words[CURRENT-1]}
local -aU choices
help=$(QT_QPA_PLATFORM=offscreen altiscope --help 2>/dev/null)
# "--theme <NAME>" takes one of some words, "--report <FILE.pdf|.html>" a file, and "--range <START..END>" what nobody can name.
[[ $previous != --* ]] || kind=$(sed -nE "s/^ +$previous <([^>]*)>.*/\1/p" <<<$help)
if [[ $kind == NAME ]]; then
    choices=(${=${"$(QT_QPA_PLATFORM=offscreen altiscope $previous '?' 2>&1)"##*Expected: }%%$'\n'*})
    compadd -a choices
elif [[ -n $kind && $kind != FILE* ]]; then
    return
elif [[ -z $kind && ${words[CURRENT]} == -* ]]; then
    choices=(${(f)"$(grep -oE -- '--[a-z][a-z-]*' <<<$help)"})
    compadd -a choices
else
    _files
fi
