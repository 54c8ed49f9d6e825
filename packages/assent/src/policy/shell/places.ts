import {
  allReadings,
  type Component,
  couldBe,
  couldLead,
  hasFolder,
  isAnything,
  isBare,
  isNamed,
  nameOf,
  type Platform,
  partsOf,
  readings,
  within,
} from "./paths.ts";
import { known, type Text } from "./text.ts";

/** What the places of this machine are. `root` is the project's folder, `own` what belongs to Assent itself. */
export type World = {
  readonly platform: Platform;
  readonly home: string | null;
  /** Where that really is, behind links. */
  readonly realHome?: string;
  readonly root: string;
  readonly own: readonly string[];
  /** What of that may be read all the same. */
  readonly open?: readonly string[];
  /** The ports at which Assent listens on this machine now. */
  readonly served?: readonly string[];
};

/** The home of the person by each of its paths. */
export function homesOf({ home, realHome }: Pick<World, "home" | "realHome">): readonly string[] {
  return [...new Set([home, realHome].filter((each) => each != null))];
}

const systemFolders: Readonly<Record<Platform, readonly string[]>> = {
  // What only a Mac has is nothing that a command for another machine would write to by chance.
  linux: words(
    "etc usr bin sbin lib lib32 lib64 libx32 libexec boot dev proc sys var root run opt System Library Applications " +
      "private/etc private/var",
  ),
  darwin: words(
    "etc usr bin sbin lib libexec dev var opt System Library Applications Network cores .vol .nofollow .resolve",
  ),
};

/** In the folders above, but anybody's. */
const commonPlaces = words(
  "/dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/stdin /dev/stdout /dev/stderr /dev/fd /dev/tty /dev/shm " +
    "/dev/pts /dev/ptmx /proc/self/fd /proc/thread-self/fd /var/tmp /var/folders /run/user /run/shm",
);

/** Where projects are kept in containers and on servers, one folder down. */
const projectPlaces = words("/opt /usr/src /usr/local/src /var/www /var/lib");

/** A place of the system: nothing there is made, changed or taken away without asking. */
export function isSystemPlace(path: Text, world: World): boolean {
  if (isPersonal(path, world)) return false;
  return readings(path).some((components) => isSystemReading(components, world));
}

function isSystemReading(components: readonly Component[], world: World): boolean {
  const { platform } = world;
  const path: Text = textOfComponents(components);
  if (components.length === 0) return true;
  if (isPersonal(path, world)) return false;
  const common = commonPlaces.some((place) => within(path, place, platform));
  if (common && !(platform === "linux" && within(path, "/var/folders"))) return false;
  return systemFolders[platform].some((folder) => couldLead(components, `/${folder}`, platform));
}

/** The person's home wherever it is, and a project where projects may be. */
function isPersonal(path: Text, world: World): boolean {
  const { root, platform } = world;
  if (homesOf(world).some((home) => isFolder(home) && within(path, home, platform))) return true;
  const isProject = projectPlaces.some((place) => root.startsWith(`${place}/`) && root.length > place.length + 1);
  return isProject && within(path, root, platform);
}

/** Neither the root nor one of the system's own folders as a whole. */
function isFolder(home: string): boolean {
  const names = home.split("/").filter((name) => name !== "");
  return (
    names.length > 1 || names[0] === "root" || (names.length === 1 && !systemFolders.linux.includes(names[0] ?? ""))
  );
}

/** In the home: what shells, sessions and everyday programs run by themselves later. */
const startupFiles = words(
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc " +
    ".cshrc .tcshrc .login .logout .inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment .xonshrc " +
    ".config/fish .config/nushell .config/autostart .config/autostart-scripts .config/plasma-workspace .config/systemd/user " +
    ".config/environment.d .local/share/systemd/user .config/git .gitconfig .npmrc .yarnrc .yarnrc.yml .config/pip .pip " +
    ".cargo/config .cargo/config.toml .ssh/authorized_keys .ssh/authorized_keys2 .ssh/config .ssh/rc .ssh/environment " +
    "Library/LaunchAgents .vimrc .vim .config/nvim .emacs .emacs.d .config/emacs .tmux.conf .screenrc .gdbinit .lldbinit " +
    ".pdbrc .Rprofile .irbrc .psqlrc .sqliterc .curlrc .wgetrc .forward .mailcap .procmailrc .docker/cli-plugins " +
    // In one's own home it is Assent's own; in another's, an Assent of theirs would run it.
    ".cache/assent/compiled",
);

/** What runs by itself later: start files of the person, and hooks and settings of a repository. */
export function isStartupPlace(path: Text, world: World): boolean {
  const { platform } = world;
  const homes = homeReadings(path, world).filter(([first]) => first !== undefined && !isBare(first));
  if (homes.some((rest) => startupFiles.some((file) => couldLead(rest, file, platform)))) return true;
  return allReadings(path).some((components) => isRepositorySetting(components, platform));
}

/** A folder of a home that such files are in, or further down: with another in its place, they are others. */
export function isAboveStartup(path: Text, world: World): boolean {
  if (known(path) === null) return false;
  return homeReadings(path, world).some((rest) => {
    const above = startupFiles.map((file) => file.split("/")).filter(({ length }) => length > rest.length);
    return (
      rest.length > 0 && above.some((names) => couldLead(rest, names.slice(0, rest.length).join("/"), world.platform))
    );
  });
}

function isRepositorySetting(components: readonly Component[], platform: Platform): boolean {
  const last = components.at(-1);
  const repository = components.findIndex((component) => isNamed(component, ".git", platform));
  if (last === undefined || repository < 0) return false;
  const inside = components.slice(repository + 1);
  if (isNamed(last, "config", platform) || isNamed(last, "config.worktree", platform)) return inside.length > 0;
  return inside.some((component) => isNamed(component, "hooks", platform)) && !(nameOf(last) ?? "").endsWith(".sample");
}

const integrationFiles = words(
  ".gitlab-ci.yml .gitlab-ci.yaml .travis.yml azure-pipelines.yml azure-pipelines.yaml bitbucket-pipelines.yml .drone.yml " +
    ".drone.yaml appveyor.yml .appveyor.yml .woodpecker.yml .woodpecker.yaml .cirrus.yml Jenkinsfile buildspec.yml " +
    "cloudbuild.yaml cloudbuild.yml wercker.yml codemagic.yaml bitrise.yml .semaphore.yml",
);
const integrationFolders = words(
  ".github/workflows .github/actions .gitea/workflows .forgejo/workflows .circleci .buildkite .woodpecker .semaphore " +
    ".teamcity .azure-pipelines .gitlab/ci",
).map((folder) => folder.split("/"));

/** What a server runs when the project is pushed. */
export function isContinuousIntegrationFile(path: Text, { platform }: World): boolean {
  return allReadings(path).some((components) => {
    const last = components.at(-1);
    if (last === undefined) return false;
    if (/^Jenkinsfile\./u.test(nameOf(last) ?? "")) return true;
    if (integrationFiles.some((file) => isNamed(last, file, platform))) return true;
    return integrationFolders.some((folder) => hasFolder(components, folder, platform));
  });
}

/** Whether it belongs to Assent itself, or could. */
export function isOwnPlace(path: Text, { own, platform }: World): boolean {
  const { start, components } = partsOf(path);
  return own.some((place) => {
    if (couldBe(path, place, platform)) return true;
    return start.length > 0 && couldEnd(components, place.split("/").slice(1), platform);
  });
}

/** After an unknown beginning: whether what is known can be the end of that folder's path. A plain last name is no sign. */
function couldEnd(components: readonly Component[], names: readonly string[], platform: Platform): boolean {
  return names.some((name, index) => {
    const isSign = index < names.length - 1 || name.startsWith(".");
    return isSign && couldLead(components, names.slice(index).join("/"), platform) && !isBare(components[0] ?? []);
  });
}

/** The root, the home, all that is in them, or a device: nothing about these can be granted. */
export function isEverything(path: Text, world: World): boolean {
  const { start, components } = partsOf(path);
  const [first] = start;
  const fromRoot = first === undefined || (typeof first === "object" && first.hole === "any" && components.length > 0);
  if (!fromRoot || start.length > 1) return false;
  return isWhole(components, world) || isDevice(components, world);
}

function isWhole(components: readonly Component[], world: World): boolean {
  const last = components.at(-1);
  const folder = last !== undefined && isAnything(last) ? components.slice(0, -1) : components;
  if (folder.length === 0) return true;
  const wholes = [...homesOf(world), "/home", "/Users", "/root"];
  return wholes.some((whole) => {
    const names = whole.split("/").filter((name) => name !== "");
    return names.length === folder.length && couldLead(folder, whole, world.platform);
  });
}

function isDevice(components: readonly Component[], { platform }: World): boolean {
  const path = textOfComponents(components);
  return couldLead(components, "/dev", platform) && !commonPlaces.some((place) => within(path, place, platform));
}

/** The components after the home of whoever it may be; an unknown beginning may be one. */
function homeReadings(path: Text, world: World): readonly (readonly Component[])[] {
  const { start, components } = partsOf(path);
  if (start.length > 0) return [components, ...readings(path).flatMap((each) => belowHome(each, world))];
  return belowHome(components, world);
}

function belowHome(components: readonly Component[], world: World): readonly (readonly Component[])[] {
  const { platform } = world;
  const depth = (home: string) => home.split("/").filter((name) => name !== "").length;
  const homes = homesOf(world).filter((home) => depth(home) > 0 && couldLead(components, home, platform));
  if (homes.length > 0) return homes.map((home) => components.slice(depth(home)));
  if (couldLead(components, "/home", platform) || couldLead(components, "/Users", platform))
    return [components.slice(2)];
  return couldLead(components, "/root", platform) ? [components.slice(1)] : [];
}

function textOfComponents(components: readonly Component[]): Text {
  const pieces = components.flatMap((component) => ["/", ...component]);
  return pieces.length === 0 ? ["/"] : pieces;
}

function words(list: string): readonly string[] {
  return list.split(" ");
}
