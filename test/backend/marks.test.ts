import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { startSession } from '../../src/backend/engine-host.ts';
import { MARK_ICONS } from '../../src/renderer/ui/kinds.ts';
import { listJsonSchema } from '../../src/services/exchange/list.ts';
import { MARK_TITLES, MARKS } from '../../src/shared/marks.ts';
import { params } from '../../src/shared/rpc/methods.ts';
import { feedback } from '../../src/shared/search.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { connect, indexed, SHOP } from './support.ts';

const WORDS = ['edit', 'read', 'irrelevant'];

/** `app.db` at version 2, when `read` was called `relevant`. */
const VERSION_2 = `
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE repositories (
    root TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    opened_at TEXT NOT NULL,
    chunks INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'empty',
    last_issue TEXT
  ) WITHOUT ROWID;
  CREATE TABLE issues (
    id TEXT PRIMARY KEY,
    root TEXT NOT NULL,                -- of the repository it is about
    name TEXT,                         -- given by the user; else its title is its first line
    text TEXT NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    deleted_at TEXT
  ) WITHOUT ROWID;
  CREATE INDEX issues_by_root ON issues (root, updated_at);
  CREATE TABLE marks (
    issue_id TEXT NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    qualified_name TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    mark TEXT,
    note TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (issue_id, path, qualified_name, ordinal)
  ) WITHOUT ROWID;
  ALTER TABLE repositories ADD COLUMN git INTEGER NOT NULL DEFAULT 0;
  PRAGMA user_version = 2;
`;
const AT = '2026-01-02T03:04:05.000Z';

describe('marks of an earlier version', () => {
  const root = realpathSync(gitRepository(SHOP));
  const dataDir = temporaryFolder();
  const issue = randomUUID();
  const old: [path: string, name: string, mark: string | null, note: string][] = [
    ['shop/cart.py', 'Cart', 'relevant', ''],
    ['shop/cart.py', 'Cart.total', 'irrelevant', 'not the “sum”'],
    ['shop/cookies.py', 'parse_cookie', 'edit', 'here!'],
    ['shop/cookies.py', 'quote_value', 'relevant', 'calls\nit'],
    ['shop/gone.py', 'gone', null, 'relevant'],
  ];
  const database = new Sqlite(join(dataDir, 'app.db'));
  database.exec(VERSION_2);
  database
    .prepare('INSERT INTO issues VALUES (?, ?, NULL, ?, 0, ?, ?, NULL)')
    .run(...[issue, root, 'Cookies are cut', AT, AT]);
  for (const [path, name, mark, note] of old) {
    const hash = '0'.repeat(40);
    database
      .prepare('INSERT INTO marks VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?)')
      .run(issue, path, name, 'function', hash, mark, note, AT);
  }
  database.close();
  const session = startSession({ dataDir });
  after(async () => {
    await session.close();
    removeFolder(root);
    removeFolder(dataDir);
  });

  it('are all there with their notes, in the words of now, and can be changed', async () => {
    const client = connect(session);
    const ready = indexed(client);
    const { id: repository } = await client.call('repository.open', { root });
    await ready;
    const listed = await client.call('marks.list', { repository, issue });
    assert.deepEqual(
      listed.map(({ address, mark, note, updatedAt }) => [address, mark, note, updatedAt]).sort(),
      old.map(([path, name, mark, note]) => {
        return [`${path}::${name}`, mark === 'relevant' ? 'read' : mark, note, AT];
      }),
    );

    const chunks = [
      'shop/cart.py::Cart',
      'shop/cart.py::Cart.total',
      'shop/cookies.py::quote_value',
    ];
    const marks = MARKS.map((mark, i) => ({ chunk: chunks[i]!, mark, note: '' }));
    await client.call('marks.set', { repository, issue, marks });
    assert.deepEqual(storedMarks(), [null, 'edit', 'edit', 'irrelevant', 'read']);
    const refused = [{ chunk: chunks[0]!, mark: 'relevant' as 'read', note: '' }];
    await assert.rejects(client.call('marks.set', { repository, issue, marks: refused }), {
      code: 'bad-input',
    });
  });

  it('come with their issue in one request, which may turn out to be an earlier one', async () => {
    const client = connect(session);
    const { id: repository } = await client.call('repository.open', { root });
    const marks = [{ chunk: 'shop/cart.py::Cart', mark: 'edit' as const, note: '' }];
    const set = (issue: string, text: string) =>
      client.call('marks.set', { repository, issue, save: { text, source: null }, marks });
    const [first, second] = [randomUUID(), randomUUID()];
    assert.deepEqual(await set(first, 'Cookies break'), { missing: [], issue: first });
    assert.equal((await set(second, 'Cookies break')).issue, first);
    assert.equal((await client.call('marks.list', { repository, issue: first })).length, 1);
    const [latest] = await client.call('issues.list', { repository });
    assert.equal(latest?.id, first);
  });

  function storedMarks(): unknown[] {
    const database = new Sqlite(join(dataDir, 'app.db'), { readonly: true });
    try {
      return database.prepare('SELECT mark FROM marks ORDER BY mark').pluck().all();
    } finally {
      database.close();
    }
  }
});

describe('a name with `::`', () => {
  const NAMED = 'src/cart.cpp::Cart.operator std::string';
  const root = gitRepository({
    'src/cart.cpp': 'struct Cart {\n  operator std::string() const {\n    return total;\n  }\n};\n',
  });
  const dataDir = temporaryFolder();
  const session = startSession({ dataDir });
  after(async () => {
    await session.close();
    removeFolder(root);
    removeFolder(dataDir);
  });

  it('can be opened, read for the list, marked and searched with', async () => {
    const client = connect(session);
    const ready = indexed(client);
    const { id: repository } = await client.call('repository.open', { root });
    await ready;
    const shown = await client.call('show', { repository, request: { chunk: NAMED } });
    assert.equal(shown.address, NAMED);
    const words = [{ word: 'total', score: 1 }];
    const snippets = await client.call('chunks.snippets', {
      repository,
      chunks: [{ chunk: NAMED, words }],
    });
    assert.match(snippets[0]?.[0]?.text ?? '', /total/);
    const issue = randomUUID();
    const save = { text: 'Totals', source: null };
    const marks = [{ chunk: NAMED, mark: 'edit' as const, note: '' }];
    assert.deepEqual(await client.call('marks.set', { repository, issue, save, marks }), {
      missing: [],
      issue,
    });
  });
});

/** The words that the JSON schema of a thing called `mark` allows. */
const marksIn = (schema: unknown) => {
  const found = /"mark":.*?"enum":(\[[^\]]*\])/.exec(JSON.stringify(schema));
  return JSON.parse(found![1]!);
};

describe('the words for marks are the same', () => {
  it('in requests, in the feedback of a search and in exported lists', () => {
    assert.deepEqual(MARKS, WORDS);
    assert.deepEqual(marksIn(z.toJSONSchema(params['marks.set'], { io: 'input' })), WORDS);
    assert.deepEqual(marksIn(listJsonSchema()), WORDS);
    for (const mark of WORDS) assert.ok(feedback.safeParse({ [mark]: ['a.py::f'] }).success);
    assert.ok(!feedback.safeParse({ relevant: ['a.py::f'] }).success);
  });

  it('in the window: titles, icons and colors', () => {
    assert.deepEqual(Object.keys(MARK_TITLES), WORDS);
    assert.deepEqual(Object.keys(MARK_ICONS), WORDS);
    const styles = '../../src/renderer/features/results/results.module.css';
    const css = readFileSync(new URL(styles, import.meta.url), 'utf8');
    assert.deepEqual(
      new Set(Array.from(css.matchAll(/data-mark="(\w+)"/g), ([, word]) => word)),
      new Set(WORDS),
    );
  });
});
