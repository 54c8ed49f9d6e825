# Completes the words of assent in bash 3.2 and later: eval "$(assent completion bash)"

_assent() {
  local program=${1/#\~\//$HOME/} rest=${COMP_LINE:0:COMP_POINT} lead word i
  local words=() count=0
  # An alias is no program.
  type -P "$program" >/dev/null || program=assent

  # bash breaks words at = and : as well; what has no space before it belongs to the word before.
  for ((i = 0; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    lead=${rest%%"$word"*}
    rest=${rest#"$lead$word"}
    if [[ $i -gt 0 && -z $lead ]]; then
      words[count - 1]+=$word
    else
      words[count]=$word
      count=$((count + 1))
    fi
  done
  # The last word goes no further than the cursor.
  word=${rest#"${rest%%[![:space:]]*}"}
  if [[ $count -gt 0 && $rest == "$word" && -n $word ]]; then
    words[count - 1]+=$word
  elif [[ $count -gt 1 && -z $rest ]]; then
    :
  else
    words[count]=$word
  fi

  local typed=${words[${#words[@]} - 1]} answer line
  answer=$("$program" __complete "${words[@]:1}" 2>/dev/null) || return 0
  COMPREPLY=()
  case $answer in
    :file) _assent_paths -f default "$typed" ;;
    :folder) _assent_paths -d dirnames "$typed" ;;
    *)
      # Only what follows the last break is put in the place of what was typed.
      local breaks=${COMP_WORDBREAKS//[^=:]/} kept=''
      [[ -n $breaks ]] && kept=${typed%"${typed##*[$breaks]}"}
      while IFS= read -r line; do
        line=${line%%$'\t'*}
        [[ -n $line ]] && COMPREPLY+=("${line#"$kept"}")
      done <<<"$answer"
      if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then _assent_option nospace; fi
      ;;
  esac
}

# Paths are left to bash, which quotes them; one without compopt lists them as they are.
_assent_paths() {
  _assent_option "$2" && return
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$1" -- "${3##*[=:]}")
}

_assent_option() {
  type compopt >/dev/null 2>&1 && compopt -o "$1" 2>/dev/null
}

complete -F _assent assent
