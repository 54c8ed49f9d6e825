import type { Deed } from "../deeds.ts";
import { asks } from "../spec.ts";
import { type Argument, after, beginning, known } from "../text.ts";
import { connects, inPlaceOf, isUrl } from "./support.ts";

/** Settings whose value git runs. Names of sections and keys count in small letters. */
const runs = oneOf([
  /core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)/u,
  /sequence\.editor/u,
  /diff\.external/u,
  /diff\..+\.(?:textconv|command)/u,
  /(?:difftool|mergetool|guitool|man|browser)\..+\.(?:cmd|path)/u,
  /merge\..+\.driver/u,
  /filter\..+\.(?:clean|smudge|process)/u,
  /gpg\.(?:.+\.)?program/u,
  /gpg\.ssh\.defaultkeycommand/u,
  /pager\..+/u,
  /interactive\.difffilter/u,
  /uploadpack\.packobjectshook/u,
  /sendemail\.(?:.+\.)?(?:smtpserver|\w*cmd)/u,
  /trailer\..+\.(?:command|cmd)/u,
  /remote\..+\.(?:uploadpack|receivepack|vcs)/u,
  /instaweb\.(?:browser|httpd)/u,
  /web\.browser/u,
  /tar\..+\.command/u,
  /hook\..+\.command/u,
  /imap\.tunnel/u,
  /lfs\.customtransfer\..+\.path/u,
  /lfs\.extension\..+\.(?:clean|smudge)/u,
]);

function oneOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(`^(?:${patterns.map(({ source }) => source).join("|")})$`, "u");
}

/** Settings that lead to other settings, hooks or ways to run programs. */
const opens = /^(?:include\.path|includeif\..+\.path|init\.templatedir|protocol\.(?:ext\.)?allow)$/u;

const proxies = /^(?:https?\.(?:.+\.)?proxy|remote\..+\.proxy)$/u;

/** Helpers that git is told to run every day; what they are given is looked into as any command. */
const familiar =
  /^(?:ssh|git|git-lfs|true|false|cat|gpg2?|gpgsm|ssh-keygen|diff|nl|sort|jq|exiftool|pdftotext|nbstripout)(?:\s|$)/u;

/** Where hooks of a project are usually kept. */
const usualHooks = /^(?:\.\/)?(?:\.husky(?:\/_)?|\.?git-?hooks|hooks|\.git\/hooks|scripts\/(?:git-?)?hooks)\/?$/u;

/** What a setting makes git do, now (`-c`) or from then on. */
export function settingDeeds(key: Argument, value: Argument, holds: "once" | "always"): readonly Deed[] {
  const typed = known(key.text);
  if (typed === null) return [asks("exec-option", "changes a setting of git that is not known before it runs", key)];
  const name = typed.toLowerCase();
  const given = known(value.text);
  if (given === "") return [];
  if (runs.test(name)) return programDeeds(value);
  if (name.startsWith("alias.")) return aliasDeeds(value);
  if (/^credential\.(?:.+\.)?helper$/u.test(name)) return helperDeeds(value);
  if (/^submodule\..+\.update$/u.test(name)) return given?.startsWith("!") === false ? [] : aliasDeeds(value);
  if (/^core\.(?:hookspath|worktree)$/u.test(name)) return folderDeeds(name, value, holds);
  if (proxies.test(name)) return connects(value);
  if (/^remote\..+\.(?:push)?url$/u.test(name)) return repositoryDeeds(value);
  if (/^url\..+\.(?:push)?insteadof$/u.test(name)) {
    return [asks("network-redirect", "makes git use other addresses than the ones it is given", value)];
  }
  if (opens.test(name) && !/^(?:never|user|false)$/u.test(given ?? "")) {
    return [asks("exec-option", `changes ${typed}, which lets git run other programs`, value)];
  }
  return [];
}

function programDeeds(value: Argument): readonly Deed[] {
  const { text, span } = value;
  if (/^(?:true|false|yes|no|on|off|\d)$/iu.test(known(text) ?? "")) return [];
  return [{ does: familiar.test(beginning(text)) ? "shell" : "program", text, span }];
}

/** With `!` it is a text for a shell, otherwise words for git. */
export function aliasDeeds(value: Argument, ...more: readonly Argument[]): readonly Deed[] {
  const { text, span } = value;
  const tail = more.flatMap((word) => [" ", ...quoted(word)]);
  const isShell = beginning(text).startsWith("!");
  const whole = inPlaceOf(value, ...(isShell ? after(text, 1) : ["git ", ...text]), ...tail);
  return [{ does: "shell", text: whole.text, span }];
}

function quoted({ text }: Argument): Argument["text"] {
  return ["'", ...text.map((piece) => (typeof piece === "string" ? piece.replaceAll("'", "'\\''") : piece)), "'"];
}

function helperDeeds(value: Argument): readonly Deed[] {
  const start = beginning(value.text);
  if (start.startsWith("!")) return aliasDeeds(value);
  if (/^[\w-]+(?:\s|$)/u.test(start)) return [];
  return programDeeds(value);
}

/** Where hooks are, or the files that git changes. */
function folderDeeds(name: string, value: Argument, holds: "once" | "always"): readonly Deed[] {
  if (name === "core.worktree") return [{ does: "write", path: value }];
  const path = known(value.text);
  if (path === "/dev/null" || (holds === "always" && usualHooks.test(path ?? ""))) return [];
  return [asks("exec-option", "makes git run the hooks of another folder", value)];
}

/** A repository as git takes it: a URL, `host:path`, a helper (`ext::`), a path, or the name of a remote. */
export function repositoryDeeds(place: Argument, use: "read" | "write" = "read"): readonly Deed[] {
  const start = beginning(place.text);
  const [first] = place.text;
  if (/^[\w-]+::/u.test(start)) return [asks("exec-option", "makes git run a helper program for the address", place)];
  if (isUrl(place)) return /^file:/iu.test(start) ? [] : connects(place);
  if (typeof first === "object" && first.hole !== "path") return [{ does: "connect", host: place }];
  return /^[^/]*:/u.test(start) ? [{ does: "remote", place, use }] : [];
}

/** Whether the word is sure to name a place on this machine. */
export function isLocalRepository({ text }: Argument): boolean {
  const [first] = text;
  return typeof first === "object" ? first.hole === "path" : /^(?:\.{0,2}\/|\.{1,2}$|~|file:)/iu.test(first ?? "");
}
