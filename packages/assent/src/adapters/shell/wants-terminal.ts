/** Programs that are of no use without a terminal of their own. */
const always = new Set(
  "vim vi view nvim nano pico micro hx helix kak joe emacs less more most man info top htop btop atop nvtop glances watch ssh mosh telnet tmux screen mc ranger nnn lf yazi fzf lazygit tig gitui ncdu k9s alsamixer mutt weechat irssi dialog whiptail".split(
    " ",
  ),
);
/** Programs that talk to a person when they are given nothing else to do. */
const alone = new Set(
  "bash sh zsh fish dash ksh python python3 ipython node deno bun irb ruby lua ghci php psql mysql mariadb redis-cli mongosh bc dc gdb lldb pdb".split(
    " ",
  ),
);
/** Of some programs, such uses. */
const uses: Readonly<Record<string, RegExp>> = {
  git: /^(?:add|checkout|reset|stash|restore)\b.*\s(?:-p|--patch|-i|--interactive)\b|^rebase\b.*\s(?:-i|--interactive)\b|^commit\b(?!.*\s(?:-[a-zA-Z]*[mFC]|--message|--file|--no-edit|--fixup))/,
  gh: /^auth login\b(?!.*--with-token)/,
  npm: /^(?:init(?!.*\s-(?:y|-yes)\b)|login|adduser|create)\b/,
  docker: /^(?:run|exec|attach)\b.*\s(?:-[a-zA-Z]*t[a-zA-Z]*|--tty)\b/,
  kubectl: /^(?:exec|run|edit|attach)\b.*\s(?:-[a-zA-Z]*t[a-zA-Z]*|--tty)\b|^edit\b/,
  crontab: /^-e\b/,
  sqlite3: /^\S*$/,
};

/**
 * Whether a person's own command is one that wants the terminal for itself (HAND-2). Only where it is plain to see; `!!`
 * gives it to any other.
 */
export function wantsTerminal(command: string): boolean {
  // A chain or a redirection is for what it prints.
  if (/[|&;<>()`\n]|\$\(/.test(command)) return false;
  const words = command.trim().split(/\s+/);
  while (words.length > 1 && /^(?:\w+=\S*|sudo|doas|env|command|exec)$/.test(words[0] ?? "")) words.shift();
  const [program = "", ...rest] = words;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (always.has(name)) return !rest.some((word) => word === "--help" || word === "--version");
  if (rest.length === 0 && alone.has(name)) return true;
  return Object.hasOwn(uses, name) && uses[name]?.test(rest.join(" ")) === true;
}
