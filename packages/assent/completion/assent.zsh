#compdef assent
# Completes the words of assent in zsh: eval "$(assent completion zsh)" after compinit, or as the file _assent in fpath.

_assent() {
  local answer line word about
  local -a whole begun
  answer="$(command "${(Q)words[1]/#\~\//$HOME/}" __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)" || return 1
  case "$answer" in
    :file|:folder)
      # What stands before the path is not part of it.
      compset -P '--*='
      compset -P 'scripted:'
      if [[ "$answer" == ":folder" ]]; then _files -/; else _files; fi
      return
      ;;
  esac
  for line in "${(@f)answer}"; do
    [[ -n "$line" ]] || continue
    word="${line%%$'\t'*}"
    about="${line#*$'\t'}"
    # After a colon the name goes on.
    if [[ "$word" == *: ]]; then begun+=("${word//:/\\:}:$about"); else whole+=("${word//:/\\:}:$about"); fi
  done
  local found=1
  (( ${#whole} )) && _describe -V assent whole && found=0
  (( ${#begun} )) && _describe -V assent begun -S '' && found=0
  return found
}

if [[ "${funcstack[1]}" == _assent ]]; then
  _assent "$@"
else
  compdef _assent assent
fi
