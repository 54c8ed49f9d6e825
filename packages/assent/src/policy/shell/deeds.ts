import type { Language } from "./code/index.ts";
import type { Argument, Span, Text } from "./text.ts";

/** Why a person is asked, in one word: the headings of APPR-2 and what hides or circumvents them. */
export type Category =
  | "delete"
  | "privilege"
  | "network"
  | "system"
  | "overwrite"
  | "exec"
  | "obfuscated"
  | "secret"
  | "self";

/** The rules, by name; `rules.ts` has their texts and examples. */
export type RuleName =
  | "delete-recursive"
  | "delete-bulk"
  | "delete-store"
  | "privilege-escalation"
  | "privilege-grant"
  | "privilege-container"
  | "network-host"
  | "network-unknown-host"
  | "network-send"
  | "network-redirect"
  | "network-tunnel"
  | "system-mode"
  | "system-disk"
  | "system-service"
  | "system-package"
  | "system-kernel"
  | "system-schedule"
  | "system-power"
  | "system-process"
  | "system-settings"
  | "system-account"
  | "overwrite-system"
  | "overwrite-startup"
  | "exec-unseen"
  | "exec-unknown-program"
  | "exec-injected"
  | "exec-option"
  | "hidden-characters"
  | "hidden-layout"
  | "hidden-word"
  | "look-alike-name"
  | "not-parsed"
  | "too-much"
  | "secret-read"
  | "self-approval";

/** Something that a person must be asked about, whatever it is applied to. `reason` completes "it …". */
export type Danger = { readonly rule: RuleName; readonly reason: string };

/**
 * What running a program would do, as far as it matters here. The deeds of a program say nothing about whether they are
 * dangerous: that depends on which path, host or text it is, and is decided in one place for all programs.
 */
export type Deed =
  | { readonly does: "danger"; readonly danger: Danger; readonly at?: Argument }
  /** The content is used (`read`), or reaches whoever sees the output (`show`). */
  | { readonly does: "read" | "show"; readonly path: Argument }
  /** Something at the path is made, changed, replaced or taken away. */
  | { readonly does: "write"; readonly path: Argument }
  /** As `write`, and links at the path lead elsewhere from then on. */
  | { readonly does: "link"; readonly path: Argument; readonly target: Argument }
  | { readonly does: "copy"; readonly path: Argument; readonly from: Argument }
  /** `host`, `host:port`, `user@host` or a URL. */
  | { readonly does: "connect"; readonly host: Argument }
  /** `host:path`, or a path of this machine. Local, it is used as `use` says. */
  | { readonly does: "remote"; readonly place: Argument; readonly use: "read" | "write" }
  /** These words are run as a command. `more`: words follow that are not known. `each`: once for each of many files. */
  | { readonly does: "run"; readonly argv: readonly Argument[]; readonly more?: boolean; readonly each?: true }
  /** A pager, an editor or the like: run by a shell, and not one that everybody knows is asked about. */
  | { readonly does: "program"; readonly text: Text; readonly span: Span }
  /** The text is run by a shell, with these words as `$0`, `$1` and so on. */
  | { readonly does: "shell"; readonly text: Text; readonly span: Span; readonly parameters?: readonly Argument[] }
  /** The text is run by an interpreter of that language. */
  | { readonly does: "code"; readonly language: Language; readonly text: Text; readonly span: Span }
  /** The file is run by a shell or an interpreter. */
  | { readonly does: "script"; readonly path: Argument; readonly language: Language | "shell" }
  /** What comes on standard input is run by a shell or an interpreter. */
  | { readonly does: "run-input"; readonly language: Language | "shell" }
  /** The words that come on standard input are put into this command, as `xargs` does. `place`: where, or at its end; `lines`: a line is a word. */
  | {
      readonly does: "run-with-input";
      readonly argv: readonly Argument[];
      readonly place: string | null;
      readonly lines: boolean;
    }
  /** From here on the package has a script of this name; `null`: it is not known of which. */
  | { readonly does: "set-script"; readonly name: string | null; readonly text: Text }
  /** A permission mode as chmod takes it. */
  | { readonly does: "mode"; readonly mode: Argument }
  /** An environment variable of the program that is run. */
  | { readonly does: "variable"; readonly name: string; readonly value: Text; readonly span: Span }
  /** Assent itself begins to work, with what it is told by variables. */
  | { readonly does: "start-assent" }
  /** What is run after this does not get that variable; `null`: it gets none. */
  | { readonly does: "forget"; readonly name: string | null };
