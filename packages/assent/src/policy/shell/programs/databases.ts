import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, beginning, known, shown } from "../text.ts";
import { each, isHole, shellText, starts, without } from "./arguments.ts";
import { isIn } from "./calls.ts";

const stores = danger("delete-store", "deletes a database with all that is in it");

/** A folder in the place of a host is a socket of this machine. */
function hosts(values: readonly Argument[]): readonly Deed[] {
  const named = values.filter(({ text }) => text.length > 0 && !/^[/.@]/.test(beginning(text)));
  return named.map((host) => ({ does: "connect", host }));
}

/** Nothing of it is known, and it is not called the name of a database. */
function mayBeUrl({ text }: Argument): boolean {
  const [first] = text;
  return isHole(first) && first.hole === "any" && !/name|^\$\{?\w*db\}?$/i.test(first.from);
}

/** A database by name, by URL, or as `host=… dbname=…`. */
function databaseHosts(values: readonly Argument[]): readonly Deed[] {
  return values.flatMap((value): readonly Deed[] => {
    const start = beginning(value.text);
    if (mayBeUrl(value)) return [{ does: "connect", host: value }];
    const noHost = /^[\w+.-]+:\/\/(?:[^/?@]*@)?(?:\/|\?|$)/.test(start) && known(value.text) !== null;
    const asked = /[?&]host(?:addr)?=([^&]+)/.exec(start)?.[1];
    if (noHost) return asked === undefined ? [] : hosts([{ ...value, text: [asked] }]);
    if (/^[\w+.-]+:\/\//.test(start)) return [{ does: "connect", host: value }];
    const host = /\bhost(?:addr)?\s*=\s*'?/.exec(start);
    if (host === null) return [];
    const rest = without(value, host.index + host[0].length);
    const end = beginning(rest.text).search(/[\s']/);
    const name = end < 0 ? rest : { ...rest, text: [beginning(rest.text).slice(0, end)] };
    return hosts([name]);
  });
}

const input = (language: "sql" | "javascript"): Deed => ({ does: "run-input", language });

/** An output that begins with `|` is a command. */
function outputs(values: readonly Argument[]): readonly Deed[] {
  return values.map((value) => (starts(value, "|") ? shellText(without(value, 1)) : { does: "write", path: value }));
}

function psqlDeeds({ operands, values, has }: Given): readonly Deed[] {
  return [
    ...hosts(values("-h --host")),
    ...databaseHosts([...operands.slice(0, 1), ...values("-d --dbname")]),
    ...outputs(values("-o --output")),
    ...(has("-c --command -f --file") || has("-l --list") ? [] : [input("sql")]),
  ];
}

const postgres = {
  "-h --host -d --dbname": "text",
  "-p --port -U --username": "text",
} as const;

function psql(): Spec {
  return {
    takes: {
      ...postgres,
      "-c --command": "code:sql",
      "-f --file": "script:sql",
      "-o --output": "text",
      "-L --log-file": "write",
      "-v --set --variable -P --pset -F --field-separator -R --record-separator -T --table-attr": "text",
    },
    also: psqlDeeds,
  };
}

function postgresTool(): Spec {
  return {
    takes: {
      ...postgres,
      "-f --file -D --pgdata": "write",
      "-t --table -n --schema -N -T --exclude-table -F --format -Z --compress -j --jobs -S --superuser -E --encoding":
        "text",
      "-O --owner --template --locale --role --exclude-table-data --section -l -L -m --mode -w": "text",
      "--maintenance-db": "text",
    },
    may: { "--tablespace-mapping --no-role-passwords --list": "text" },
    also: ({ operands, values }) => [
      ...hosts(values("-h --host")),
      ...databaseHosts([...operands, ...values("-d --dbname --maintenance-db")]),
    ],
  };
}

function restoring(): Spec {
  return {
    ...postgresTool(),
    danger: { "-c --clean": danger("delete-store", "drops what is in the database before it restores") },
    operands: ["read"],
  };
}

function mysqlDeeds({ values, has }: Given): readonly Deed[] {
  return [...hosts(values("-h --host")), ...(has("-e --execute") ? [] : [input("sql")])];
}

const mysqlOptions = {
  "-h --host -P --port -u --user -D --database -S --socket --default-character-set --protocol --ssl-ca --ssl-cert":
    "text",
  "--defaults-file --defaults-extra-file --login-path --delimiter --prompt --max-allowed-packet --where": "text",
  "--plugin-dir --default-auth": "text",
} as const;

function mysql(): Spec {
  return {
    takes: { ...mysqlOptions, "-e --execute --init-command": "code:sql", "--tee": "write" },
    may: { "--pager": "program", "-p --password --ssl --ssl-mode --default": "text" },
    danger: { "--plugin-dir": danger("exec-option", "loads libraries into the client") },
    also: mysqlDeeds,
  };
}

function mysqlShell(): Spec {
  return { ...mysql(), takes: { ...mysql().takes, "--uri": "host" } };
}

function mysqlTool(): Spec {
  return {
    takes: {
      ...mysqlOptions,
      "-r --result-file -T --tab": "write",
      "--ignore-table --tables --databases-list": "text",
    },
    may: { "-p --password --ssl --ssl-mode --default --tables --databases": "text" },
    also: ({ values }) => hosts(values("-h --host")),
  };
}

function mysqlAdmin({ operands }: Given): readonly Deed[] {
  const drop = operands.find((each) => isIn(each, "drop"));
  const stop = operands.find((each) => isIn(each, "shutdown"));
  return [
    ...(drop === undefined ? [] : [asks("delete-store", "deletes a database with all that is in it", drop)]),
    ...(stop === undefined ? [] : [asks("system-service", "stops the database server", stop)]),
  ];
}

/** Some databases read a table from an address. */
function readsFrom(code: Argument): readonly Deed[] {
  const found = /(?:\bfrom\s+|\(\s*)['"]((?:https?|s3|gs|gcs|az|hf|ftp):\/\/[^'"]+)/i.exec(shown(code.text))?.[1];
  return found === undefined ? [] : [{ does: "connect", host: { ...code, text: [found] } }];
}

const onlyReads =
  /^\s*(?:select\b|explain\b|pragma\s+\w+\s*;?\s*$|\.(?:tables|schema|databases|indexes|dump|fullschema)\b)/i;

function sqliteDeeds({ operands, values, has }: Given): readonly Deed[] {
  const [file, ...code] = operands;
  const given = [...code, ...values("-cmd -c -s")];
  const reads =
    has("-readonly") || has("-safe") || (code.length > 0 && code.every(({ text }) => onlyReads.test(beginning(text))));
  const path = file === undefined || isIn(file, ":memory:") ? [] : [file];
  return [
    ...given.flatMap(readsFrom),
    ...each(reads ? "read" : "write", path),
    ...given.map(({ text, span }): Deed => ({ does: "code", language: "sql", text, span })),
    ...(given.length === 0 ? [input("sql")] : []),
  ];
}

function sqlite(): Spec {
  return {
    style: "long",
    takes: {
      "-cmd -c -s": "text",
      "-init -f": "script:sql",
      "-separator -newline -nullvalue -maxsize -mmap -vfs -lookaside -pagecache -heap": "text",
    },
    also: sqliteDeeds,
  };
}

/** `localhost/db`, `host:port/db`, a URL, a database's name, or scripts. */
function mongoHosts(values: readonly Argument[]): readonly Deed[] {
  const places = values.filter(({ text }) =>
    /:\/\/|^[\w.-]+(?::\d+)?\/|^[\w-]+(?:\.[\w-]+)+(?::\d+)?$|^$/.test(beginning(text)),
  );
  return hosts(places.filter(({ text }) => !/\.m?js$/.test(known(text) ?? "")));
}

function mongoDeeds({ operands, values, has }: Given): readonly Deed[] {
  const scripts = [...operands.filter(({ text }) => /\.m?js$/.test(known(text) ?? "")), ...values("-f --file")];
  return [
    ...hosts(values("--host")),
    ...mongoHosts(operands),
    ...scripts.map((path): Deed => ({ does: "script", path, language: "javascript" })),
    ...values("--eval").flatMap((code): readonly Deed[] => mongoCode(code)),
    ...(has("--eval") || scripts.length > 0 ? [] : [input("javascript")]),
  ];
}

const drops = /\.\s*(?:dropDatabase|drop|deleteMany|remove)\s*\(|\bdropDatabase\b/;

function mongoCode(code: Argument): readonly Deed[] {
  const { text, span } = code;
  const dropped = text.some((piece) => typeof piece === "string" && drops.test(piece));
  const deed: Deed = { does: "code", language: "javascript", text, span };
  return dropped ? [deed, asks("delete-store", "deletes from the database in bulk", code)] : [deed];
}

const mongoOptions = {
  "--host --port -u --username -p --password --authenticationDatabase -d --db -c --collection -q --query": "text",
  "--uri": "text",
} as const;

function mongoTool(): Spec {
  return {
    takes: {
      ...mongoOptions,
      "-h": "text",
      "-o --out --archive-out": "write",
      "--type --fields --numParallelCollections -f": "text",
      "--file": "text",
    },
    may: { "--archive": "text" },
    danger: { "--drop": danger("delete-store", "drops collections before it restores") },
    also: ({ name, values }) => [
      ...hosts(values("--host -h")),
      ...databaseHosts(values("--uri")),
      ...each(/import|restore/.test(name) ? "read" : "write", [...values("--archive"), ...values("--file")]),
    ],
  };
}

/** The commands of redis that do more than look, set and count. */
const redisDangers: readonly (readonly [string, ReturnType<typeof danger>])[] = [
  ["flushall flushdb", danger("delete-store", "deletes everything in the store")],
  ["shutdown", danger("system-service", "stops the store")],
  ["slaveof replicaof migrate", danger("network-send", "copies the store to or from another machine")],
  ["module", danger("exec-option", "loads a library into the store")],
];

function redisDeeds({ operands, values }: Given): readonly Deed[] {
  const words = operands.map(({ text }) => (known(text) ?? "").toLowerCase());
  const [command = "", second = "", third = ""] = words;
  const found = redisDangers.filter(
    ([names]) => names.split(" ").includes(command) && second !== "list" && second !== "no",
  );
  const configured = command === "config" && second === "set" && /^(?:dir|dbfilename|loadmodule|save)$/.test(third);
  const unknown = operands[0] !== undefined && isHole(operands[0].text[0]);
  return [
    ...hosts(values("-h")),
    ...databaseHosts(values("-u --uri")),
    ...hosts(values("--cluster").length > 0 ? operands : []),
    ...found.map(([, each]): Deed => ({ does: "danger", danger: each })),
    ...(configured ? [asks("system-settings", "lets the store write files elsewhere")] : []),
    ...(unknown ? [asks("delete-store", "runs a command of the store that is not known", operands[0])] : []),
  ];
}

function redis(): Spec {
  return {
    stops: true,
    takes: {
      "-h -p -s -a -u --uri --cluster -n -r -i -d -D -t -X --user --pass --cacert --cert --key --tls-ciphers --pattern --sni":
        "text",
      "--rdb --functions-rdb": "write",
      "--eval": "read",
    },
    may: {
      "--tls --latency --intrinsic-latency --stat --bigkeys --memkeys --hotkeys --scan --pipe --csv --raw": "text",
    },
    also: redisDeeds,
  };
}

/** Clients that differ in the names of their options only. */
const client = (host: string, code: string, file: string): Spec => ({
  takes: {
    [host]: "text",
    [code]: "code:sql",
    [file]: "script:sql",
    "-u --user --username -U -p --password -P --port -d --database -k --keyspace --format -w -s": "text",
  },
  also: ({ operands, values, has }) => [
    ...hosts(values(host)),
    ...values(code).flatMap(readsFrom),
    ...databaseHosts(operands),
    ...(has(`${code} ${file}`) ? [] : [input("sql")]),
  ],
});

function etcdDeeds({ operands, values, has }: Given): readonly Deed[] {
  const named = values("--endpoints").flatMap(({ text, ...rest }) => {
    const all = known(text);
    return all === null ? [{ text, ...rest }] : all.split(",").map((each) => ({ ...rest, text: [each] }));
  });
  const gone = isIn(operands[0], "del") && has("--prefix --from-key --range");
  return [...hosts(named), ...(gone ? [asks("delete-store", "deletes many keys", operands[0])] : [])];
}

export const databases: Programs = {
  psql: psql,
  "pgcli usql": () => ({ ...psql(), takes: { ...psql().takes, "--pager": "program" } }),
  "pg_dump pg_dumpall createdb vacuumdb reindexdb clusterdb pg_isready pg_basebackup initdb pg_receivewal createuser":
    postgresTool,
  pg_restore: restoring,
  "dropdb dropuser": () => ({ ...postgresTool(), always: stores }),
  pgbench() {
    return {
      takes: { ...postgres, "-f --file": "script:sql", "-c -j -T -t -s -R -M -P -l": "text" },
      also: ({ values }) => hosts(values("-h --host")),
    };
  },
  pg_ctl: () => ({
    takes: { "-D --pgdata -l --log": "write", "-o --options -m --mode -t -U -W": "text", "-p": "program" },
  }),
  "mysql mariadb mycli": mysql,
  mysqlsh: mysqlShell,
  "mysqldump mariadb-dump mysqlpump mydumper mysqlshow mysqlcheck mysqlslap mysqlbinlog mysqlimport myloader":
    mysqlTool,
  "mysqladmin mariadb-admin"() {
    return {
      ...mysqlTool(),
      also: (given) => [...hosts(given.values("-h --host")), ...mysqlAdmin(given)],
    };
  },
  "sqlite3 sqlite litecli sqlcipher duckdb spatialite": sqlite,
  "mongosh mongo"() {
    return {
      takes: {
        ...mongoOptions,
        "--eval -f --file": "text",
        "--tlsCAFile --tlsCertificateKeyFile": "read",
        "--shell-type": "text",
      },
      may: { "--shell": "text" },
      also: mongoDeeds,
    };
  },
  "mongodump mongorestore mongoexport mongoimport mongostat mongotop bsondump mongofiles": mongoTool,
  "redis-cli valkey-cli keydb-cli iredis": redis,
  "clickhouse-client clickhouse-local": () => client("-h --host", "-q --query", "--queries-file"),
  clickhouse() {
    return {
      commands: Object.fromEntries(
        ["client", "local", "benchmark"].map((name) => [name, client("-h --host", "-q --query", "--queries-file")]),
      ),
    };
  },
  cqlsh: () => ({ ...client("-h", "-e --execute", "-f --file"), operands: ["host", "text"] }),
  "sqlcmd mssql-cli": () => client("-S --server", "-Q -q --query", "-i --input"),
  "cypher-shell": () => client("-a --address", "--eval", "-f --file"),
  "trino presto": () => client("--server", "--execute", "-f --file"),
  "isql sqlplus sqlcl"() {
    return {
      always: danger("network-host", "connects to a database by a name kept elsewhere"),
      unless: "-V -v -H",
    };
  },
  snowsql: () => ({ always: danger("network-host", "connects to a database of a service") }),
  etcdctl() {
    return {
      takes: { "--endpoints": "text", "--cacert --cert --key": "read", "--user --dial-timeout -w": "text" },
      also: etcdDeeds,
    };
  },
};
