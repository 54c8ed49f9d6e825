import { allReadings, type Component, couldLead, hasFolder, isNamed, nameOf, type Platform } from "./paths.ts";
import { ending, type Text } from "./text.ts";

/** Files that hold secrets wherever they are. */
const secretFiles = (
  ".env .env.local .env.production .envrc .netrc _netrc .pgpass .npmrc .pypirc .git-credentials .htpasswd .vault-token " +
  ".s3cfg .boto .my.cnf .mylogin.cnf .dockercfg .dockerconfigjson id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk " +
  "id_ed25519_sk credentials.json client_secret.json service-account.json service_account.json secrets.yml secrets.yaml " +
  "secrets.json secrets.toml"
).split(" ");

/** Folders and files of programs that keep secrets, in any home. */
const secretPlaces = (
  ".gnupg .password-store .aws/credentials .aws/sso/cache .aws/cli/cache .docker/config.json .kube/config .kube/cache " +
  ".config/gcloud .config/gh/hosts.yml .config/hub .config/op .config/doctl/config.yaml .config/rclone/rclone.conf " +
  ".config/netlify/config.json .azure .oci .terraform.d/credentials.tfrc.json .cargo/credentials .cargo/credentials.toml " +
  ".gem/credentials .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .local/share/keyrings " +
  ".config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .mozilla/firefox Library/Keychains " +
  "Library/Cookies .claude/.credentials.json .codex/auth.json .config/sops .config/age .subversion/auth .fly/config.yml"
)
  .split(" ")
  .map((place) => place.split("/"));

const systemSecrets = (
  "/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/security/opasswd /etc/ssl/private /etc/letsencrypt/archive " +
  "/etc/master.passwd /run/secrets /var/run/secrets /var/db/dslocal"
).split(" ");

const browserFolder = /^(?:Chrome|Chromium|Firefox|Brave-Browser|Microsoft Edge|Vivaldi|Opera)$/u;

/** Usually holds secrets: its content is not read without asking. */
export function isSecretPlace(path: Text, { platform }: { readonly platform: Platform }): boolean {
  if (/\.pub$/u.test(ending(path))) return false;
  return allReadings(path).some((components) => isSecretReading(components, platform));
}

function isSecretReading(components: readonly Component[], platform: Platform): boolean {
  const last = components.at(-1);
  if (last === undefined) return false;
  if (isSecretName(last, platform)) return true;
  if (systemSecrets.some((place) => couldLead(components, place, platform) && isDistinct(components, place)))
    return true;
  const withMore = [...components, ["x"]];
  if (secretPlaces.some((place) => hasFolder(withMore, place, platform))) return true;
  return isInKeyFolder(components, platform) || isEnvironment(components) || isBrowserStore(components);
}

/** `/*` and `/etc/*` are not taken for the one file among many that is meant here. */
function isDistinct(components: readonly Component[], place: string): boolean {
  const depth = place.split("/").length - 1;
  return components.slice(0, depth).every((each) => each.some((piece) => typeof piece === "string"));
}

const publicKeyFiles = /^(?:config|known_hosts.*|authorized_keys2?|allowed_signers|environment|rc|.*\.pub)$/u;

function isInKeyFolder(components: readonly Component[], platform: Platform): boolean {
  const folder = components.findIndex((component) => isNamed(component, ".ssh", platform));
  if (folder < 0) return false;
  const file = components[folder + 1];
  return file === undefined || !publicKeyFiles.test(nameOf(file) ?? "-");
}

function isEnvironment(components: readonly Component[]): boolean {
  const names = components.map((component) => nameOf(component));
  return names[0] === "proc" && names.length >= 3 && names.at(-1) === "environ";
}

/** What a browser keeps of its person. */
function isBrowserStore(components: readonly Component[]): boolean {
  const names = components.map((component) => nameOf(component) ?? "");
  return names.includes("Application Support") && names.some((name) => browserFolder.test(name));
}

const keyExtension = /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|kdb|ppk|p8|keytab|ovpn|agekey)$/iu;
const environmentFile = /^(?:\.env(?:[._-].*)?|.+\.env|\.envrc)$/iu;
const exampleFile =
  /(?:^|[._-])(?:examples?|samples?|templates?|tpl|dist|defaults?|schema|test|md|[cm]?[jt]sx?|enc|gpg|age)(?:\.env)?$/iu;
const namedSecret =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-].*)?|ssh_host_.*_key|.*[_-](?:rsa|ed25519|ecdsa)|(?:google[_-]?|gcp[_-]?|aws[_-]?)?credentials\.(?:json|csv)|client_secrets?.*\.json|service[-_]?account.*\.json|secrets?\.(?:tfvars|auto\.tfvars)|secrets\.(?:ya?ml|json|toml|ini|properties))$/iu;

function isSecretName(component: Component, platform: Platform): boolean {
  const name = nameOf(component);
  if (name === null) return isSecretPattern(component, platform);
  if (environmentFile.test(name)) return !exampleFile.test(name);
  if (keyExtension.test(name)) return isPrivateKey(name);
  return namedSecret.test(name) || secretFiles.includes(name);
}

/** Certificates and public keys have the same endings. */
function isPrivateKey(name: string): boolean {
  if (/pub(?:lic|key)?(?:[._-]|key|$)/iu.test(name)) return false;
  if (!/\.pem$/iu.test(name) || /key|priv/iu.test(name)) return true;
  return !/cert|crt|chain|bundle|root|intermediate|csr|dhparam|(?:^|[._-])ca|ca(?:[._-]|$)/iu.test(name);
}

/** A pattern or a name with holes: when enough of it is known, and it can be one of those. */
function isSecretPattern(component: Component, platform: Platform): boolean {
  const end = ending(component);
  if (/\.env$/iu.test(end)) return true;
  if (keyExtension.test(end)) return isPrivateKey(end);
  const [first] = component;
  if (typeof first === "string" && /^\.env(?:[._-]|$)/u.test(first)) return !exampleFile.test(end === "" ? "-" : end);
  return secretFiles.some((file) => isTelling(component, file) && isNamed(component, file, platform));
}

/** How much of the name, apart from its ending, is known: `s*.yml` says nothing of secrets. */
function isTelling(component: Component, file: string): boolean {
  const isOpen = component.some((piece) => typeof piece === "object" && !/^[?[]/u.test(piece.from));
  if (!isOpen || file.startsWith(".")) return true;
  const extension = /\.\w+$/u.exec(ending(component))?.[0].length ?? 0;
  const letters = component.reduce((sum, piece) => sum + (typeof piece === "string" ? piece.length : 0), 0);
  return letters - extension >= 3;
}
