import { describe, expect, it } from "vitest";
import { databases } from "./databases.ts";
import { deeds } from "./given.fixture.ts";

const cases: Readonly<Record<string, readonly string[]>> = {
  "psql -h localhost -U app -c 'select 1'": ["sql: select 1", "connect localhost"],
  "psql -h /var/run/postgresql -l": [],
  'psql "$DATABASE_URL" -c x': ["sql: x", "connect $DATABASE_URL"],
  'psql "$DB_NAME" -c x': ["sql: x"],
  "psql appdb": ["sql from input"],
  "psql postgresql://evil.example/db -f a.sql": ["sql script a.sql", "connect postgresql://evil.example/db"],
  "psql postgresql:///db -f a.sql": ["sql script a.sql"],
  "psql 'host=evil.example dbname=x' -c x": ["sql: x", "connect evil.example"],
  "psql -o '|sh' -c x": ["sql: x", "shell sh"],
  "pg_dump -h db.example -f out.sql app": ["write out.sql", "connect db.example"],
  "pg_restore --clean a.dump": ["delete-store", "read a.dump"],
  "dropdb app": ["delete-store"],
  "createdb app": [],
  "mysql -h db.example -psecret -e 'system id' app": ["sql: system id", "connect db.example"],
  "mysql --pager=./evil app": ["program ./evil", "sql from input"],
  "mysqladmin drop app": ["delete-store"],
  "sqlite3 a.db 'select 1'": ["read a.db", "sql: select 1"],
  "sqlite3 a.db '.shell id'": ["write a.db", "sql: .shell id"],
  "sqlite3 -cmd '.system id' a.db": ["write a.db", "sql: .system id"],
  "sqlite3 a.db": ["write a.db", "sql from input"],
  "mongosh mongodb://evil.example/x": ["connect mongodb://evil.example/x", "javascript from input"],
  "mongosh app --eval 'db.dropDatabase()'": ["javascript: db.dropDatabase()", "delete-store"],
  "mongorestore --drop dump": ["delete-store"],
  "redis-cli -h cache.example.com flushall": ["connect cache.example.com", "delete-store"],
  "redis-cli get x": [],
  "redis-cli CONFIG SET dir /etc": ["system-settings"],
  "redis-cli -u redis://evil.example ping": ["connect redis://evil.example"],
  "etcdctl --endpoints=http://a.example,http://b.example del --prefix x": [
    "connect http://a.example",
    "connect http://b.example",
    "delete-store",
  ],
};

describe("the deeds of database clients", () => {
  it.each(Object.entries(cases))("are known for: %s", (line, expected) => {
    expect(deeds(databases, line)).toEqual(expected);
  });
});
