# What a terminal would obey: title, clear screen, alternate screen, clipboard, cursor, a link, a query, a bell.
printf 'before '
printf '\033]0;another title\007'
printf '\033[2J\033[H\033[?1049h\033[?25l'
printf '\033]52;c;ZXZpbA==\007'
printf '\033]8;;http://example.invalid/\033\\link\033]8;;\033\\'
printf '\033[6n\033[c\033P$q"p\033\\\007\017\016'
printf 'after\n'
