# Completes the words of assent in fish: assent completion fish > ~/.config/fish/completions/assent.fish

function __assent_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l typed (commandline -ct)
    set -l answer (command assent __complete $words "$typed" 2>/dev/null)
    switch "$answer[1]"
        case ':file' ':folder'
            # What stands before the path is not part of it.
            set -l before (string match -r -- '^(?:--[a-z-]+=)?(?:scripted:)?' "$typed")
            set -l path (string replace -r -- '^(?:--[a-z-]+=)?(?:scripted:)?' '' "$typed")
            set -l found
            if test "$answer[1]" = ':folder'
                set found (__fish_complete_directories "$path")
            else
                set found (__fish_complete_path "$path")
            end
            for each in $found
                printf '%s%s\n' "$before" "$each"
            end
        case '*'
            for each in $answer
                printf '%s\n' "$each"
            end
    end
end

complete -c assent -f -k -a '(__assent_complete)'
