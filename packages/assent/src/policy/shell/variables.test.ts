import { expect, test } from "vitest";
import { isSearchPath, searchPathDanger } from "./search-path.ts";
import { shown, type Text, textOf } from "./text.ts";
import { variableDeeds } from "./variables.ts";

/** `NAME=value`, where `$WORD` and `$(…)` are not known. */
function assigned(text: string): { name: string; value: Text } {
  const [name = ""] = text.split("=", 1);
  const pieces = text.slice(name.length + 1).split(/(\$[A-Z_]+|\$\(npm[^)]*\))/);
  const value = pieces.map((piece) =>
    /^\$([A-Z_]+|\(npm.*)$/.test(piece) ? { hole: "any" as const, from: piece } : piece,
  );
  return { name, value: textOf(...value) };
}

function said(text: string): readonly string[] {
  const { name, value } = assigned(text);
  return variableDeeds(name, value, { start: 0, end: 1 }).map((deed) => {
    if (deed.does === "danger") return deed.danger.rule;
    if (deed.does === "connect") return `connect ${shown(deed.host.text)}`;
    if (deed.does === "script") return `script ${shown(deed.path.text)}`;
    return "text" in deed ? `${deed.does} ${shown(deed.text)}` : deed.does;
  });
}

const telling: readonly (readonly [string, readonly string[]])[] = [
  ["PAGER=less -R", ["program less -R"]],
  ["GIT_PAGER=rm -rf build", ["program rm -rf build"]],
  ["LESSOPEN=|sh %s", ["program sh %s"]],
  ["PROMPT_COMMAND=rm -rf x", ["shell rm -rf x"]],
  ["LD_PRELOAD=./evil.so", ["exec-injected"]],
  ["LD_PRELOAD=", []],
  ["BASH_ENV=./x", ["exec-injected"]],
  ["ENV=./evil.sh", ["exec-injected"]],
  ["BASH_FUNC_ls%%=() { id; }", ["exec-injected"]],
  ["NODE_OPTIONS=--max-old-space-size=4096", []],
  ["NODE_OPTIONS=$NODE_OPTIONS --experimental-vm-modules", []],
  ["NODE_OPTIONS=--require ./evil.js", ["exec-injected"]],
  ["NODE_OPTIONS=--require=./evil.js", ["exec-injected"]],
  ["NODE_OPTIONS=-r ./evil.js", ["exec-injected"]],
  ["NODE_OPTIONS=--import tsx", []],
  ["NODE_OPTIONS=--import data:text/javascript,x", ["exec-injected"]],
  ["NODE_OPTIONS=--require $X", ["exec-injected"]],
  ["RUBYOPT=-W0", []],
  ["RUBYOPT=-r./evil", ["exec-injected"]],
  ["PERL5OPT=-Mevil", ["exec-injected"]],
  ["JAVA_TOOL_OPTIONS=-Xmx2g", []],
  ["JAVA_TOOL_OPTIONS=-javaagent:evil.jar", ["exec-injected"]],
  ["JAVA_TOOL_OPTIONS=-agentlib:jdwp=transport=dt_socket", []],
  ["MAKEFLAGS=-j4", []],
  ["MAKEFLAGS=--eval=x", ["exec-injected"]],
  ["TAR_OPTIONS=--checkpoint-action=exec=id", ["exec-injected"]],
  ["RUSTC_WRAPPER=sccache", []],
  ["RUSTC_WRAPPER=./evil", ["exec-injected"]],
  ["RUSTFLAGS=-C target-cpu=native", []],
  ["CC=gcc-12", []],
  ["CC=ccache clang", []],
  ["CXX=/usr/bin/x86_64-linux-gnu-g++", []],
  ["CC=./evil", ["program ./evil"]],
  ["SHELL=/bin/bash", []],
  ["SHELL=./evil", ["program ./evil"]],
  ["http_proxy=http://evil.example:8080", ["network-redirect"]],
  ["HTTPS_PROXY=http://127.0.0.1:8080", []],
  ["ALL_PROXY=socks5h://localhost:1080", []],
  ["https_proxy=$HTTP_PROXY", []],
  ["https_proxy=http://localhost.evil.example", ["network-redirect"]],
  ["no_proxy=example.com", []],
  ["DOCKER_HOST=tcp://evil.example:2375", ["connect tcp://evil.example:2375"]],
  ["DOCKER_HOST=unix:///var/run/docker.sock", []],
  ["PS4=+ $(id) ", ['shell echo "+ $(id) "']],
  ["PS1=> ", []],
  ["GIT_CONFIG_KEY_0=core.pager", ["exec-injected"]],
  ["GIT_CONFIG_KEY_0=user.name", []],
  ["GIT_CONFIG_GLOBAL=/dev/null", []],
  ["GIT_CONFIG_GLOBAL=./evil", ["exec-injected"]],
  ["GIT_DIR=../x/.git", ["write"]],
  ["LUA_INIT=@evil.lua", ["exec-injected"]],
  ["GIT_TRACE=/etc/motd", ["write"]],
  ["GIT_TRACE=1", []],
  ["GOBIN=/usr/bin", ["write"]],
  ["BROWSER=none", []],
  ["CGO_CFLAGS=-fplugin=./x.so", ["exec-injected"]],
  ["VIMINIT=:!id", ["code :!id"]],
  ["NODE_ENV=test", []],
  ["npm_config_registry=https://evil.example", ["connect https://evil.example"]],
  ["npm_config_registry=./packages", []],
  ["GOPROXY=off,direct", []],
  ["GOFLAGS=-mod=mod", []],
  ["PYTHONWARNINGS=ignore::DeprecationWarning", []],
  ["PYTHONBREAKPOINT=0", []],
  ["PYTHONBREAKPOINT=os.system", ["exec-injected"]],
];

test.each(telling)("%s", (text, deeds) => {
  expect(said(text)).toEqual(deeds);
});

const unusual =
  ".:$PATH|$PATH:.|:$PATH|$PATH:|/tmp/evil:$PATH|./evil:$PATH|evil:$PATH|$PWD/evil:$PATH|$PWD:$PATH|/home/dev/project/evil:$PATH|/home/dev/project:$PATH|/dev/shm:$PATH|/var/tmp/x:/bin|~/x:$PATH|";
const usual =
  "$PWD/node_modules/.bin:$PATH|./node_modules/.bin:$PATH|$HOME/bin:$PATH|$(npm bin):$PATH|/usr/local/go/bin:$PATH|/bin|.venv/bin:$PATH|/home/dev/.cargo/bin:$PATH|/home/dev/project/vendor/bin:$PATH|./bin:$PATH|target/debug:$PATH|$X:$PATH|/opt/x:$PATH|~/bin:$PATH";

test("programs are not to be looked for where anybody could put one", () => {
  const judged = (paths: string): readonly (string | undefined)[] =>
    paths.split("|").map((each) => searchPathDanger("PATH", assigned(`PATH=${each}`).value, ["/home/dev"])?.rule);
  expect([...new Set(judged(unusual))]).toEqual(["exec-injected"]);
  expect([...new Set(judged(usual))]).toEqual([undefined]);
});

test("a project's own folders are ordinary for languages", () => {
  const found = [
    "PYTHONPATH=./src",
    "PYTHONPATH=.",
    "NODE_PATH=./src:",
    "PYTHONPATH=/tmp/x",
    "LD_LIBRARY_PATH=./lib",
    "LD_LIBRARY_PATH=.",
    "HOME=.",
  ].map((each) => {
    const { name, value } = assigned(each);
    return [each, isSearchPath(name), searchPathDanger(name, value, [])?.rule];
  });
  expect(found).toEqual([
    ["PYTHONPATH=./src", true, undefined],
    ["PYTHONPATH=.", true, undefined],
    ["NODE_PATH=./src:", true, undefined],
    ["PYTHONPATH=/tmp/x", true, "exec-injected"],
    ["LD_LIBRARY_PATH=./lib", true, undefined],
    ["LD_LIBRARY_PATH=.", true, "exec-injected"],
    ["HOME=.", false, undefined],
  ]);
});
