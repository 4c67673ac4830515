# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion for fish: nabla, nabla-cc, nabla-c++ and nabla-fc. nabla names its commands and options
# itself, and clang its own.

function __nabla_options
    printf '%s\n' --llvm=22 --llvm=19
    nabla --options 2>/dev/null | string replace ' ' \t
    nabla cc "--autocomplete=$argv[1]" 2>/dev/null
end

function __nabla_offer
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l command cc
    if string match -qr '(^|/)nabla$' -- $words[1]
        set command $words[2]
    end
    switch "$command"
        case ''
            nabla --commands 2>/dev/null
            printf '%s\n' --version --help --options --commands
        case doctor
            printf '%s\n' --llvm=22 --llvm=19
        case rules
            printf '%s\n' --rules=
        case '*'
            if string match -q -- '-*' $word
                test "$command" = explain; and echo --function=
                test "$command" = repro; and echo --again
                __nabla_options $word
            else if test (count $words) -eq 2; and contains -- "$command" check explain repro
                printf '%s\n' cc c++ fc
            end
    end
end

for command in nabla nabla-cc nabla-c++ nabla-fc
    complete -c $command -a '(__nabla_offer)'
end
complete -c nabla -n 'test (count (commandline -opc)) -eq 1' -f
