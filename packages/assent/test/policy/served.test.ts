import { expect, test } from "vitest";
import { openPolicy } from "../../src/policy/index.ts";
import { verifies } from "../requirements/verifies.ts";

const policy = openPolicy({ platform: "linux", home: "/home/ada", own: ["/home/ada/.local/share/assent"] });

function judged(command: string, served: readonly string[] = ["4815"]) {
  const plan = { tool: "terminal", cwd: "/home/ada/shop", command, ...(served.length === 0 ? {} : { served }) };
  const { verdict, rule, ...rest } = policy.judge(plan);
  return { verdict, rule, grantable: "grantable" in rest ? (rest.grantable ?? null) : null };
}

const self = { verdict: "ask", rule: "self-approval", grantable: null };
const allowed = { verdict: "allow", rule: "nothing-found", grantable: null };

for (const command of [
  "curl -s http://127.0.0.1:4815/v1/interactions",
  "curl localhost:4815",
  "curl http://[::1]:4815/v1/me",
  "wget -qO- http://localhost:04815/healthz",
  "P=4815; curl http://localhost:$P/v1/me",
  "curl http://localhost:$PORT/v1/me",
  "nc localhost 4815",
  "nc localhost $PORT",
  "exec 3<>/dev/tcp/127.0.0.1/4815",
  "node -e \"fetch('http://127.0.0.1:4815/v1/me')\"",
]) {
  verifies("APPR-10b", `a command that speaks to the server asks, and cannot be granted: ${command}`, () => {
    expect(judged(command)).toEqual(self);
  });
}

test.each([
  "curl http://localhost:3000/orders/$ID",
  "curl -s http://127.0.0.1:5173/",
  "echo 4815",
  "nc -z localhost 5432",
  "npm test",
])("what speaks to another port of this machine does not: %s", (command) => {
  expect(judged(command)).toEqual(allowed);
});

verifies("APPR-10b", "a server at a socket is Assent's own, too", () => {
  const at = ["/home/ada/.assent.sock"];
  expect(judged("curl --unix-socket ~/.assent.sock http://localhost/v1/me", at)).toEqual(self);
  expect(judged("curl --unix-socket /var/run/docker.sock http://localhost/json", at)).toEqual(allowed);
});

verifies("APPR-10b", "several ports in one, of which one may be the server's", () => {
  expect(judged("curl 'http://127.0.0.1:481{5,6}/v1/me'")).toEqual(self);
  expect(judged("curl 'http://127.0.0.1:48[10-20]/v1/me'")).toEqual(self);
});

verifies("APPR-10b", "tokens for the server are not the agent's to make or take back", () => {
  expect(judged("assent token create evil --role admin", [])).toEqual(self);
  expect(judged("env -u ASSENT_RUN setsid -f assent token create evil --role admin > /tmp/t", [])).toMatchObject({
    verdict: "ask",
  });
  expect(judged("assent token list", [])).toEqual(allowed);
});

test("where no server listens the port is one like any other", () => {
  expect(judged("curl -s http://127.0.0.1:4815/", [])).toEqual(allowed);
});
