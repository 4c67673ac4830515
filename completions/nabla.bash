# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion for bash: nabla, nabla-cc, nabla-c++ and nabla-fc. nabla names its commands and options
# itself, and clang its own.

_nabla_offer() {
  local word=$1
  shift
  mapfile -t COMPREPLY < <(compgen -W "$*" -- "$word")
}

# The option whose value is being typed: readline makes words of it, of "=", and of what is behind.
_nabla_option() {
  local before=${COMP_WORDS[COMP_CWORD - 1]}
  if [[ $before == = ]]; then
    echo "${COMP_WORDS[COMP_CWORD - 2]}"
  elif [[ $1 == = ]]; then
    echo "$before"
  fi
}

# The values that clang and the driver name for an option.
_nabla_values() {
  local option=$1 word=${2#=}
  if [[ $option == --llvm ]]; then
    _nabla_offer "$word" 22 19
  elif [[ $option == -* ]]; then
    _nabla_offer "$word" "$(nabla cc "--autocomplete=$option=,$word" 2>/dev/null | cut -f1)"
  fi
}

# Files, and behind explain, check and repro the language that may stand there.
_nabla_files() {
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
  if ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == @(check|explain|repro) ]]; then
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "cc c++ fc" -- "$1")
  fi
  compopt -o filenames 2>/dev/null
  return 0
}

# Options of clang, of nabla's plugin and of the driver, and values of them; else files.
_nabla_compiler() {
  local word=$1 own
  _nabla_values "$(_nabla_option "$word")" "$word"
  ((${#COMPREPLY[@]})) && return
  word=${word#=}
  if [[ $word != -* ]]; then
    _nabla_files "$word"
    return
  fi
  own=$(nabla --options 2>/dev/null | cut -d' ' -f1)
  _nabla_offer "$word" "--llvm=22 --llvm=19 $own" \
    "$(nabla cc "--autocomplete=$word" 2>/dev/null | cut -f1)"
  [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}

_nabla() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-}
  COMPREPLY=()
  if [[ ${COMP_WORDS[0]##*/} == nabla-* ]]; then
    _nabla_compiler "$word"
  elif ((COMP_CWORD == 1)); then
    _nabla_offer "$word" "$(nabla --commands 2>/dev/null)" --version --help --options --commands
  elif [[ $command == rules ]]; then
    _nabla_offer "$word" --rules=
    compopt -o nospace 2>/dev/null
  elif [[ $command == repro && $word == --a* ]]; then
    _nabla_offer "$word" --again
  elif [[ $command == explain && $word == --f* ]]; then
    _nabla_offer "$word" --function=
    compopt -o nospace 2>/dev/null
  elif [[ $command == doctor ]]; then
    _nabla_offer "$word" --llvm=22 --llvm=19
  else
    _nabla_compiler "$word"
  fi
  return 0
}

complete -F _nabla nabla nabla-cc nabla-c++ nabla-fc
