import { describe, expect, it } from "vitest";
import { resolvePath } from "./paths.ts";
import { isSecretPlace } from "./secrets.ts";
import type { Hole } from "./text.ts";

/** Patterns, `~`, and `$X` for a hole. */
function isSecret(written: string): boolean {
  const pieces = written.replace(/^~/u, "/home/dev").split(/(\*+|\?|\[[^\]]*\]|\$X)/u);
  const text = pieces
    .filter((piece) => piece !== "")
    .map((piece): string | Hole => {
      if (piece === "$X") return { hole: "any", from: piece };
      return /^(?:\*|\?|\[)/u.test(piece) ? { hole: "glob", from: piece } : piece;
    });
  return isSecretPlace(resolvePath(text, ["/home/dev/project"]), { platform: "linux" });
}

/** Those of them for which it does not hold. */
function unlike(expected: boolean, all: readonly string[]): readonly string[] {
  return all.filter((each) => isSecret(each) !== expected);
}

/** Several in each line. */
function list(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "));
}

describe("isSecretPlace", () => {
  it("holds for what usually has secrets in it", () => {
    const yes = [
      ...list(
        ".env .env.local .env.production app/.env $X/.env .env.$X .env* .e* .?nv .en[v] .env-prod prod.env",
        ".envrc ~/.ssh/id_rsa id_ed25519 ~/.ssh ~/.ssh/* ~/.ssh/deploy keys/id_rsa.bak server.key server.pem",
        "privkey.pem cert-key.pem *.pem *.key $X.key a.p12 a.pfx a.jks a.keystore a.kdbx ~/.aws/credentials",
        "~/.netrc .pgpass ~/.docker/config.json ~/.kube/config ~/.config/gcloud/x.json ~/.config/gh/hosts.yml",
        ".npmrc ~/.npmrc .pypirc ~/.git-credentials ~/.gnupg/x ~/.gnupg ~/.password-store/a.gpg /etc/shadow",
        "/etc/gshadow /etc/shado? /etc/s*w ~/.vault-token /proc/self/environ /proc/12/environ",
        "/proc/$X/environ .htpasswd credentials.json service-account-prod.json secrets.yml",
        "config/secrets.yaml secrets.toml id_* i?_rsa cred*.json *_rsa deploy_rsa",
        "~/.config/google-chrome/Default/Cookies /home/other/.ssh/id_rsa /run/secrets/x client_secret_12.json",
        "/etc/ssh/ssh_host_rsa_key config/master.key $X/.ssh/id_rsa ~/.mozilla/firefox/x/logins.json .env.bak",
        "~/.claude/.credentials.json /proc/self/root/etc/shadow",
      ),
      "~/Library/Application Support/Google/Chrome/Default/Cookies",
    ];
    expect(unlike(true, yes)).toEqual([]);
  });

  it("does not hold for ordinary work", () => {
    const no = list(
      ".env.example .env.sample .env.template .env.dist .env.defaults .env.test .env.local.example",
      "example.env env.d.ts cert.pem fullchain.pem ca.pem ca-bundle.pem my-ca.pem server-cert.pem",
      "server.crt a.cer pubkey.pem public.key id_rsa.pub ~/.ssh/id_rsa.pub ~/.ssh/config ~/.ssh/known_hosts",
      "~/.ssh/*.pub docs/secret.md src/secrets.ts secrets/README.md * *.json *.yml s*.yml c*.json src/* $X",
      "$X.json $X/config /etc/passwd /etc/hosts /etc/* package.json ~/.aws/config config.json",
      ".docker/Dockerfile credentials.ts keys.ts src/key.ts environ.py docs/environ src/env.ts",
      ".env/bin/activate terraform.tfvars state.tfstate wp-config.php /proc/self/status ~ / .gitignore",
      "tokens.css kube/config monkey.pem.txt $X/* id.txt README* ~/* /*",
    );
    expect(unlike(false, no)).toEqual([]);
  });
});
