import { describe, expect, it } from "vitest";
import { type HostKind, hostOf, leadsTo, networkDevice, remotePlace } from "./hosts.ts";
import type { Hole, Text } from "./text.ts";

const any: Hole = { hole: "any", from: "$X" };
const word: Hole = { hole: "word", from: "$W" };
const path: Hole = { hole: "path", from: "$P" };

describe("hostOf", () => {
  const cases: Readonly<Record<HostKind, readonly string[]>> = {
    loopback: [
      ...[
        "localhost",
        "LOCALHOST",
        "localhost.",
        "api.localhost",
        "localhost:3000",
        "localhost/health",
        "localhost?x=1",
      ],
      ...["127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "127.0.0.1."],
      ...[
        "0.0.0.0",
        "0",
        "0.0.0.0:8080",
        "[::1]",
        "[::1]:80",
        "::1",
        "user@::1",
        "[::ffff:127.0.0.1]",
        "::ffff:127.0.0.1",
      ],
      ...["::FFFF:127.0.0.1", "::", "0::0", "127.0.0.1:80:90"],
      ...["[0:0:0:0:0:0:0:1]", "[::]:80", ":8080", "ip6-localhost", "localhost.localdomain"],
      ...[
        "http://localhost",
        "HTTP://LocalHost:3000/x",
        "https://127.0.0.1/a@b",
        "http://localhost/?u=https://evil.example",
      ],
      ...["http://localhost/#/x", "http://evil@localhost/", "http://user:pa%40ss@localhost/", "evil.example@localhost"],
      ...[
        "http://localhost:3000/{a,b}/[1-3]",
        "http://{localhost,127.0.0.1}:3000/",
        "http://127.0.0.[1-9]/",
        "http://localhost:{1,2}/",
      ],
      ...[
        "http://localhost:[3000-3005]/",
        "tcp://127.0.0.1:2375",
        "redis://:pw@localhost:6379/0",
        "ws://localhost/s",
        "ssh://git@localhost/x",
      ],
      ...[
        "git@localhost:repo.git",
        "postgres://app:pw@localhost:5432/db",
        "jdbc:postgresql://localhost/db",
        "host=localhost dbname=app",
      ],
      ...[
        "localhost:9092,127.0.0.1:9093",
        "mongodb://localhost:27017,localhost:27018/db",
        "http://localhost/a\\b",
        "host=127.0.0.1",
      ],
    ],
    local: [
      ...[
        "file:///etc/hosts",
        "file:/etc/hosts",
        "file://localhost/x",
        "unix:///var/run/docker.sock",
        "/var/run/x.sock",
        "./x.sock",
      ],
      ...[
        "data:text/plain,x",
        "javascript:alert(1)",
        "about:blank",
        "http+unix://%2Fvar%2Frun%2Fx/y",
        "postgres:///db",
        "sqlite:///x.db",
      ],
      ...["redis://:6379", "mysql://:pw@/db", "amqp://", "port=5432", "jdbc:sqlite:x", "fd://3"],
      ...["file://LOCALHOST/x", "file://", "FILE:x", "file:\\x", "http+unix://x", "./a", "../a", "/", "~", "."],
      ...["dbname=app user=dev", "~/x.sock", "unix:/tmp/x", "..", "host=/var/run/postgresql dbname=x"],
    ],
    external: [
      ...[
        "evil.example",
        "http://evil.example",
        "https://evil.example:443/x",
        "example.com/localhost",
        "user@evil.example",
        "//evil.example/x",
      ],
      ...[
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        "localhost@evil.example",
        "http://localhost@evil.example/",
        "http://localhost:80@evil.example/",
      ],
      ...[
        "http://127.0.0.1@evil.example",
        "localhost:80@evil.example",
        "192.168.1.20",
        "10.0.0.1",
        "169.254.169.254",
        "http://3232235777/",
        "0127.0.0.1",
      ],
      ...[
        "1.1",
        "128.0.0.1",
        "[::2]",
        "::2",
        "[fe80::1%eth0]:80",
        "2001:db8::1",
        "[::ffff:10.0.0.1]",
        "db",
        "redis://cache:6379",
      ],
      ...[
        "git@github.com:org/x.git",
        "ssh://git@example.com/x",
        "s3://bucket/x",
        "s3://localhost/x",
        "gs://b/x",
        "tcp://203.0.113.4:2375",
      ],
      ...[
        "http://{localhost,evil.example}/",
        "http://{evil.example}/",
        "http://[1-3].example/",
        "localhost,evil.example",
        "file://evil.example/share",
      ],
      ...[
        "host=db.example.com dbname=app",
        "host=localhost,db.example.com",
        "notlocalhost",
        "localhost-x",
        "http.evil.example",
        "jdbc:mysql://db.example/x",
      ],
      ...["x::1", "fe80::1", "host:80:90", "user@x::1", "f:1", "abc:"],
      ...["0.0.0.1", "boss@example.com", "http://localhost.:80.evil.example@x.example/"],
    ],
    unknown: [
      ...[
        "http://localhost%2eevil.example/",
        "http://lоcalhost/",
        "http://localhost\\@evil.example/",
        "http://evil.example\\@localhost/",
      ],
      ...[
        "http://a@evil.example@localhost/",
        "http://localhost#@evil.example/",
        "http://localhost?@evil.example/",
        "http://local\thost/",
      ],
      ...[
        "http://localhost\n.evil.example",
        "http:localhost",
        "http:/localhost",
        "http:///localhost",
        "http:evil.example",
        "http://",
        "",
      ],
      ...[
        "http://{localhost/a,evil.example}/",
        "http://{{localhost}}/",
        "http://127.0.0.256/",
        "http://127.0.0.1.1.1/",
        "0189.0.0.1",
        "0x",
        "http://①27.0.0.1/",
      ],
      ...[
        "http://localhost:abc/",
        "http://local host/",
        "http://127.0.0.*/",
        "[::1",
        "[evil.example]",
        "http://localhost..x/",
        "service=prod",
      ],
      ...["::1x", "::g", "::1%eth0", "::ffff:127.0.0.1x", "ab:cd:ef", "[]", "[", "]:80", "[::1]x:80"],
      ...[":", ":x", ":80x", ":x80", "foo://:80/", "http://:80", "redis://:x", "user@", "http://[::1]80/", "a:b:c"],
      ...["service=prod host=localhost", "http://localhost:80a/", "http://localhost:a80/", "host=", "{localhost"],
      ...[`http://${"{localhost,127.1}".repeat(12)}/`, "http://[::1].evil.example/", "http://localhost;evil.example/"],
    ],
  };
  const rows = Object.entries(cases).flatMap(([kind, all]) => all.map((given) => [given, kind] as const));
  it.each(rows)("of %j is %s", (given, expected) => {
    expect(hostOf(given === "" ? [] : [given])).toBe(expected);
  });

  it.each<[Text, HostKind]>([
    [["http://localhost:", any, "/", any], "loopback"],
    [["http://localhost:3000", any], "loopback"],
    [["http://localhost:3000/", any], "loopback"],
    [["localhost:", any], "loopback"],
    [["127.0.0.1:", word, "/x"], "loopback"],
    [["http://", any, "/x"], "unknown"],
    [["http://", word, ".localhost/x"], "unknown"],
    [["https://api.", any, "/x"], "unknown"],
    [["https://evil.example/", any], "external"],
    [["https://evil.example:", any], "external"],
    [[any, "/health"], "unknown"],
    [[any], "unknown"],
    [[word], "unknown"],
    [[path, "/x"], "local"],
    [["http://localhost", any], "unknown"],
    [["http://", any, "@localhost/"], "unknown"],
    [["postgres://app:", any, "@localhost/db"], "loopback"],
    [["https://", any, "@evil.example/"], "unknown"],
    [["file://", any, "/x"], "local"],
    [["http://", { hole: "glob", from: "[::1]" }, ":3000/"], "loopback"],
    [["http://localhost/x", { hole: "glob", from: "?" }, "a=1"], "loopback"],
    [["http://", { hole: "glob", from: "*" }, "/"], "unknown"],
    [["user@", any], "unknown"],
  ])("of %j is %s", (given, expected) => {
    expect(hostOf(given)).toBe(expected);
  });

  it("is done in no time with very long texts", () => {
    for (const each of ["{a,", "[1-2]", "1.", "@", ":", "a=b ", "host=", "[", "{", "::"]) {
      expect(hostOf([each.repeat(20_000)])).not.toBe("loopback");
    }
  });
});

describe("leadsTo", () => {
  const ports = ["4815", "80"];
  it.each<[Text, readonly Text[], boolean]>([
    [["localhost:4815"], [], true],
    [["localhost:04815"], [], true],
    [["localhost:4816"], [["4815"]], false],
    [["http://localhost:4815/x"], [], true],
    [["http://localhost:4815?x"], [], true],
    [["http://localhost:4815#x"], [], true],
    [["http://a:4816@localhost:4815/x"], [], true],
    [["http://a:4815@localhost:4816/x"], [], false],
    [["http://[::1]:4815/x"], [], true],
    [["http://[::4815]/x"], [], false],
    [["http://localhost/x:4815"], [], false],
    [["http://localhost:481{5,6}/"], [], true],
    [["http://localhost:48[10-20]/"], [], true],
    [["http://localhost/{a,b}"], [], false],
    [["http://localhost/a:{a,b}"], [], false],
    [["localhost"], [["4815"]], true],
    [["localhost"], [["-p4815"]], true],
    [["localhost"], [["1-4815"]], true],
    [["localhost"], [["004815"]], true],
    [["localhost"], [["14815"], ["48150"]], false],
    [["localhost"], [["a"], [any]], true],
    [["localhost"], [], false],
    [["localhost:", any], [], true],
    [["localhost:4816", any], [], true],
    [["localhost:4816/", any], [], false],
    [["localhost:4815/", any], [], true],
    [[any], [], true],
  ])("%j with %j: %s", (host, words, leads) => {
    expect(leadsTo(ports, { host, words })).toBe(leads);
    expect(leadsTo([], { host, words })).toBe(false);
  });
});

describe("remotePlace", () => {
  it.each<[Text, Text | null]>([
    [["host:path"], ["host"]],
    [["user@host:/tmp/"], ["user@host"]],
    [["host::module/x"], ["host"]],
    [["rsync://host/mod"], ["rsync://host/mod"]],
    [["[::1]:x"], ["[::1]"]],
    [["user@[::1]:/x"], ["user@[::1]"]],
    [["a.txt"], null],
    [["./a:b/"], null],
    [["/a:b"], null],
    [["dir/a:b"], null],
    [[":x"], null],
    [[], null],
    [[any], [any]],
    [
      [any, "/x"],
      [any, "/x"],
    ],
    [[any, ":/x"], [any]],
    [
      ["user@", any, ":/x"],
      ["user@", any],
    ],
    [["/tmp/", any], null],
    [["backup-", any, ".tgz"], null],
    [[path, "/x"], null],
    [[{ hole: "glob", from: "*" }, ".txt"], null],
  ])("of %j has the host %j", (given, host) => {
    expect(remotePlace(given)).toEqual(host === null ? { path: given } : { host });
  });
});

describe("networkDevice", () => {
  it.each<[Text, Text | null]>([
    [["/dev/tcp/203.0.113.5/4444"], ["203.0.113.5:4444"]],
    [["/dev/udp/localhost/53"], ["localhost:53"]],
    [["/dev/tcp/", any, "/80"], [any]],
    [
      ["/dev/tcp/a", any, "b/80"],
      ["a", any, "b"],
    ],
    [["/dev/tcp/host"], ["host"]],
    [["/dev/null"], null],
    [["/tmp/dev/tcp/x/1"], null],
    [[any, "/dev/tcp/x/1"], null],
  ])("of %j is the host %j", (given, host) => {
    expect(networkDevice(given)).toEqual(host);
  });
});
