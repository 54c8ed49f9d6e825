import type { Deed } from "./deeds.ts";
import { asks } from "./spec.ts";
import { type Argument, after, beginning, known, type Span, shown, type Text, textOf } from "./text.ts";

/** What a variable with this value makes the programs do that have it in their environment. */
export function variableDeeds(name: string, value: Text, span: Span): readonly Deed[] {
  if (value.length === 0) return [];
  const at: Argument = { text: value, splits: false, span };
  // Where programs put what they make for a while.
  if (name === "TMPDIR") return [{ does: "write", path: at }];
  const special = specials.find(({ names }) => names.test(name));
  if (special !== undefined) return special.deeds(at, name);
  if (programs.has(name)) return [{ does: "program", text: withoutPipe(value), span }];
  if (loading.has(name)) return known(value) === "/dev/null" ? [] : [injects(name, at)];
  return [];
}

const list = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Programs to run: pagers, editors, askers and the like. */
const programs = list(
  "PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER BAT_PAGER AWS_PAGER GH_PAGER GLAB_PAGER DELTA_PAGER PSQL_PAGER ACK_PAGER HGPAGER PERLDOC_PAGER RI_PAGER MYSQL_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GH_EDITOR KUBE_EDITOR SUDO_EDITOR SYSTEMD_EDITOR FCEDIT HGEDITOR SVN_EDITOR CVSEDITOR PSQL_EDITOR TEXEDIT JJ_EDITOR GIT_SSH GIT_SSH_COMMAND SVN_SSH RSYNC_RSH CVS_RSH RSH GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND LESSOPEN LESSCLOSE npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL npm_config_editor npm_config_git npm_config_browser npm_config_viewer RUSTC_WORKSPACE_WRAPPER RUSTC RUSTDOC RUSTFMT GDB SSH_SK_HELPER SSH_PKCS11_HELPER",
);

/** Names of files or libraries that other programs then load. */
const loading = list(
  "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_FORCE_FLAT_NAMESPACE BASH_ENV ENV ZDOTDIR PYTHONSTARTUP PYTHONINSPECT PYTHONHOME PYTHONUSERBASE PERL5DB PERLDB_OPTS GCONV_PATH OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES NODE_REPL_EXTERNAL_MODULE PHPRC PHP_INI_SCAN_DIR R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH COR_PROFILER_PATH GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG_PARAMETERS GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM MAKEFILES SHELLOPTS BASHOPTS WGETRC CURL_HOME RIPGREP_CONFIG_PATH HGRCPATH SSH_SK_PROVIDER LD_PROFILE EMACSLOADPATH GTK_MODULES GTK_PATH GIO_EXTRA_MODULES QT_PLUGIN_PATH VK_LAYER_PATH JULIA_LOAD_PATH TCLLIBPATH",
);

function injects(name: string, at: Argument): Deed {
  return asks("exec-injected", `makes other programs load or run what ${name} says`, at);
}

/** `LESSOPEN='|program %s'`. */
function withoutPipe(value: Text): Text {
  return after(value, /^[|-]*/.exec(beginning(value))?.[0].length ?? 0);
}

/** The value is a place that the program then writes to. */
function written(at: Argument): readonly Deed[] {
  return [{ does: "write", path: at }];
}

/** Only a whole path is a file; anything else is a switch or a number. */
function traced(at: Argument): readonly Deed[] {
  return beginning(at.text).startsWith("/") ? written(at) : [];
}

const outputs =
  /^(GIT_WORK_TREE|GIT_DIR|GIT_COMMON_DIR|GIT_INDEX_FILE|GIT_OBJECT_DIRECTORY|GOBIN|GOCACHE|GOMODCACHE|CARGO_INSTALL_ROOT|CARGO_TARGET_DIR|PIP_TARGET|PIP_PREFIX|PIP_LOG|PIPX_BIN_DIR|PIPX_HOME|UV_TOOL_BIN_DIR|UV_INSTALL_DIR|BUN_INSTALL|DENO_INSTALL_ROOT|npm_config_(prefix|cache|globalconfig)|NPM_CONFIG_(PREFIX|CACHE)|YARN_CACHE_FOLDER|HISTFILE|LESSHISTFILE|NODE_V8_COVERAGE|NODE_COMPILE_CACHE|PYTHONPYCACHEPREFIX|COVERAGE_FILE|LLVM_PROFILE_FILE|GCOV_PREFIX|MALLOC_TRACE|LD_DEBUG_OUTPUT|LD_PROFILE_OUTPUT|SSLKEYLOGFILE|CCACHE_DIR|GEM_HOME|BUNDLE_PATH|GNUPGHOME)$/;

type Special = { readonly names: RegExp; deeds(at: Argument, name: string): readonly Deed[] };

/** Asks when the known part of the value has this in it. */
function having(names: RegExp, pattern: RegExp): Special {
  return { names, deeds: (at, name) => (pattern.test(knownPart(at.text)) ? [injects(name, at)] : []) };
}

function knownPart(text: Text): string {
  return text.map((piece) => (typeof piece === "string" ? piece : " ")).join("");
}

/** Loaders that come with a project's packages, and do nothing but translate what is loaded. */
const usualLoader =
  /^(tsx(\/\w+)?|ts-node(\/[\w-]+)*|dotenv\/config|@swc-node\/register(\/\w+)?|@swc\/register|esbuild-register(\/\w+)?|source-map-support\/register|tsconfig-paths\/register|@babel\/register|esm)$/;

function nodeOptions(at: Argument, name: string): readonly Deed[] {
  const options =
    /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader|--env-file|--openssl-config)(?:[\s=]+|$)(\S*)/g;
  const loaders = [...knownPart(at.text).matchAll(options)].map(([, loader = ""]) =>
    loader.replaceAll(/^["']|["']$/g, ""),
  );
  return loaders.every((each) => usualLoader.test(each)) ? [] : [injects(name, at)];
}

const compilers =
  /^(?:\S*\/)?(?:\S*-)?(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|tcc|icc|icpc|icx|icpx|nvcc|emcc|em\+\+|zig|ccache|sccache|cachepot|distcc|ld|lld|mold|gold|ar|ranlib|cl|clippy-driver|python3?|node)(?:-?[\d.]+)?(?:\s|$)/;

/** Compilers that everybody knows; anything else is a program like a pager. */
function compiler(at: Argument): readonly Deed[] {
  const { text, span } = at;
  const start = beginning(text);
  const usual = compilers.test(start) && !/^(\.|\/tmp\/|\/var\/tmp\/|\/dev\/shm\/)/.test(start);
  return usual || start === "" ? [] : [{ does: "program", text, span }];
}

const shells = /^(?:(?:\/usr)?(?:\/local)?\/bin\/|\/opt\/homebrew\/bin\/)?(?:ba|z|da|k|fi|a|tc|c)?sh$/;

function usualShell({ text, span }: Argument): readonly Deed[] {
  return shells.test(shown(text)) || typeof text[0] !== "string" ? [] : [{ does: "program", text, span }];
}

const loopback =
  /^(?:[a-z][\w+.-]*:\/\/)?(?:[^@/]*@)?(?:localhost|[\w.-]+\.localhost|127(?:\.\d+){1,3}|\[?::1\]?|0:0:0:0:0:0:0:1)(?:[:/]|$)/i;

function proxy(at: Argument, name: string): readonly Deed[] {
  const [first] = at.text;
  if (loopback.test(beginning(at.text))) return [];
  if (at.text.length === 1 && typeof first === "object" && /proxy/i.test(first.from)) return [];
  return [asks("network-redirect", `sends what others ask the network for to ${shown(at.text)}, by ${name}`, at)];
}

function server(at: Argument): readonly Deed[] {
  return /^(unix|npipe|fd):/.test(beginning(at.text)) || beginning(at.text).startsWith("/")
    ? []
    : [{ does: "connect", host: at }];
}

/** A prompt is expanded each time it is shown. */
function prompt({ text, span }: Argument): readonly Deed[] {
  if (!/\$\(|`|\$\{/.test(knownPart(text))) return [];
  const escaped = text.map((piece) => (typeof piece === "string" ? piece.replaceAll('"', '\\"') : piece));
  return [{ does: "shell", text: textOf('echo "', ...escaped, '"'), span }];
}

function shellText({ text, span }: Argument): readonly Deed[] {
  return [{ does: "shell", text, span }];
}

/** Settings of git that name no program. */
const usualSetting =
  /^(user|author|committer|color|advice|init|safe|commit|tag|push|fetch|pull|merge\.(conflictstyle|ff)|branch|log|status|gc|core\.(quotepath|autocrlf|filemode|ignorecase|longpaths|abbrev|eol|untrackedcache|bare|precomposeunicode)|http\.(postbuffer|version|lowspeed\w*)|protocol\.version|rerere|diff\.(renames|algorithm|colormoved)|feature|index|pack|submodule\.recurse|maintenance)\b/i;

function gitKey(at: Argument, name: string): readonly Deed[] {
  return usualSetting.test(knownPart(at.text)) ? [] : [injects(name, at)];
}

function luaText({ text, span }: Argument): readonly Deed[] {
  if (!beginning(text).startsWith("@")) return [{ does: "code", language: "lua", text, span }];
  return [injects("LUA_INIT", { text: after(text, 1), splits: false, span })];
}

function linkers(at: Argument): readonly Deed[] {
  return [...knownPart(at.text).matchAll(/linker=(\S+)/g)].flatMap(([, linker = ""]) =>
    compiler({ ...at, text: textOf(linker) }),
  );
}

function goProxy(at: Argument): readonly Deed[] {
  const entries = knownPart(at.text).split(/[,|]/);
  const usual = /^(?:direct|off)$/;
  return entries
    .filter((each) => !usual.test(each.trim()))
    .map((each) => ({ does: "connect", host: { ...at, text: textOf(each) } }));
}

/** Browsers that everybody knows, and none. */
function browser(at: Argument): readonly Deed[] {
  const usual =
    /^(none|false|true|(google-)?chrome(-stable)?|chromium(-browser)?|firefox|safari|edge|brave|open|xdg-open|lynx|w3m)$/i;
  return usual.test(shown(at.text)) ? [] : [{ does: "program", text: at.text, span: at.span }];
}

/** `host:0` is a screen of another machine, `:0` and `localhost:10.0` are of this one. */
function screen({ text, span }: Argument): readonly Deed[] {
  const host = /^([^:/]+):/.exec(beginning(text))?.[1];
  return host === undefined || /^(localhost|unix|127\.)/.test(host)
    ? []
    : [{ does: "connect", host: { text: [host], splits: false, span } }];
}

const specials: readonly Special[] = [
  { names: /^(GH_)?BROWSER$/, deeds: browser },
  { names: /^DISPLAY$/, deeds: screen },
  having(/^DISTCC_HOSTS$|^DISTCC_POTENTIAL_HOSTS$/, /(^|\s)(?!localhost|127\.|--)[\w.@-]+\.[a-z]/i),
  { names: /^GIT_TRACE\w*$|^GIT_TR2\w*$/, deeds: traced },
  { names: outputs, deeds: written },
  having(
    /^(CGO_)?(C|CXX|CPP|F|LD)FLAGS(_ALLOW)?$|^NVCC_(PREPEND|APPEND)_FLAGS$|^CL$/,
    /-fplugin|-fpass-plugin|-specs|-wrapper|(^|\s)-B\S|-Xclang\s+-load|-fuse-ld=\S*\/|--ld-path|-Wl,\S*-plugin|(^|\s)@\S/,
  ),
  { names: /^(NODE_OPTIONS|npm_config_node_options|NPM_CONFIG_NODE_OPTIONS|BUN_OPTIONS)$/, deeds: nodeOptions },
  having(
    /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS|MAVEN_OPTS|GRADLE_OPTS|SBT_OPTS|CATALINA_OPTS)$/,
    /-javaagent|-agentpath|-agentlib:(?!jdwp)|-XX:On|-XX:Flags|-XX:VMOptionsFile|-Xbootclasspath|-Djava\.system\.class\.loader|(^|\s)@/,
  ),
  having(/^PERL5OPT$/, /-[Mmd]|-I/),
  having(/^RUBYOPT$/, /-r|--require|-I/),
  having(/^(GOFLAGS)$/, /-toolexec|-exec\b|-overlay|-ldflags.*extld/),
  having(/^(ERL_FLAGS|ERL_AFLAGS|ERL_ZFLAGS|ELIXIR_ERL_OPTIONS)$/, /-eval|-s\b|-run|-pa|-boot/),
  having(
    /^TAR_OPTIONS$/,
    /--to-command|--checkpoint-action|--use-compress-program|(^|\s)-\w*I|--rmt-command|--rsh-command|--info-script|(^|\s)-\w*[FP]|--absolute-names|--remove-files|--new-volume-script/,
  ),
  having(/^(MAKEFLAGS|MFLAGS|GNUMAKEFLAGS)$/, /--eval|(^|\s)-\w*[fEI]|--file|--makefile|--include-dir|SHELL=/),
  having(/^(ZIPOPT|ZIP)$/, /-TT|--unzip-command|(^|\s)-\w*m|--move/),
  having(/^(LESS|SYSTEMD_LESS|MORE)$/, /\+.*!|--lesskey|(^|\s)-k/),
  having(/^MANOPT$/, /-P|--pager|-H|--html|-C|-T|-X|--gxditview/),
  having(/^PYTHONWARNINGS$/, /antigravity|:\w+\.\w+/),
  having(/^PYTHONBREAKPOINT$/, /^(?!(0|pdb|ipdb|pudb|IPython|web_pdb)\b)./),
  having(/^FZF_DEFAULT_OPTS$/, /execute|become|--preview|--bind|reload|transform|--listen/),
  having(/^GIT_ALLOW_PROTOCOL$/, /\bext\b/),
  having(/^BASH_FUNC_/, /./),
  having(/^(CARGO_BUILD_RUSTC_WRAPPER|RUSTC_WRAPPER)$/, /^(?!(\S*\/)?(sccache|cachepot|ccache)(\s|$))./),
  having(/^(HOSTALIASES|RESOLV_HOST_CONF)$/, /./),
  { names: /^GIT_CONFIG_KEY_\d+$/, deeds: gitKey },
  {
    names:
      /^(CC|CXX|CPP|LD|AR|AS|HOSTCC|HOSTCXX|FC|NVCC|CARGO_TARGET_\w+_LINKER|CC_\w+|CXX_\w+|npm_config_python|PYTHON)$/,
    deeds: compiler,
  },
  { names: /^CARGO_TARGET_\w+_RUNNER$/, deeds: (at) => [{ does: "program", text: at.text, span: at.span }] },
  { names: /^(RUSTFLAGS|CARGO_BUILD_RUSTFLAGS|CARGO_ENCODED_RUSTFLAGS|RUSTDOCFLAGS)$/, deeds: linkers },
  { names: /^(SHELL|CONFIG_SHELL|MAKESHELL)$/, deeds: usualShell },
  {
    names: /^(npm_config_)?(https?|ftp|all|rsync|socks)_?proxy$|^npm_config_proxy$|^SOCKS_SERVER$|^CARGO_HTTP_PROXY$/i,
    deeds: proxy,
  },
  { names: /^(DOCKER_HOST|CONTAINER_HOST|BUILDKIT_HOST|PGHOST|PGHOSTADDR|MYSQL_HOST|KUBE_MASTER)$/, deeds: server },
  {
    names:
      /^(PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|PIP_FIND_LINKS|UV_INDEX_URL|UV_EXTRA_INDEX_URL|UV_DEFAULT_INDEX|npm_config_registry|YARN_REGISTRY|YARN_NPM_REGISTRY_SERVER|CARGO_REGISTRIES_\w+_INDEX|TWINE_REPOSITORY_URL|\w+_ORG_MIRROR|RUSTUP_DIST_SERVER|RUSTUP_UPDATE_ROOT|\w+_MIRROR|\w+_DIST_URL|HOMEBREW_\w*DOMAIN)$/i,
    deeds: index,
  },
  { names: /^GOPROXY$/, deeds: goProxy },
  { names: /^(PS[0-4]|PROMPT|RPROMPT|RPS1)$/, deeds: prompt },
  {
    names: /^(PROMPT_COMMAND|FZF_DEFAULT_COMMAND|FZF_CTRL_T_COMMAND|FZF_ALT_C_COMMAND|RSYNC_CONNECT_PROG)$/,
    deeds: shellText,
  },
  {
    names: /^(VIMINIT|EXINIT|GVIMINIT)$/,
    deeds: ({ text, span }) => [{ does: "code", language: "vim", text, span }],
  },
  { names: /^LUA_INIT(_\d_\d)?$/, deeds: luaText },
];

/** Where packages come from, when that is said. */
function index(at: Argument): readonly Deed[] {
  return /^\.{0,2}\//.test(beginning(at.text)) ? [] : [{ does: "connect", host: at }];
}
