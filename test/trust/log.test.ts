/** The log of a whole session reveals nothing about the user's work: no code, issue, name, address, token or path. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startSession } from '../../src/backend/engine-host.ts';
import { connect } from '../backend/support.ts';
import { runFullSession, runLocus } from '../support/full-session.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

/** Word in everything that must not be logged. */
const MARK = 'swordfish';
const ENVIRONMENT = {
  LOCUS_LOG: 'debug',
  LOCUS_FLEET_TOKEN: `${MARK}:token`,
  LOCUS_CHECK_URL: 'http://127.0.0.1:1/v1',
  LOCUS_CHECK_MODEL: MARK,
  LOCUS_CHECK_API_KEY: `${MARK}-key`,
  GITHUB_TOKEN: `${MARK}-token`,
};
const CODE = `def ${MARK}_total(items):\n    """Adds ${MARK} prices."""\n    return sum(items)\n`;
const ISSUE = `The ${MARK} total is wrong`;

const read = (paths: string[]) => paths.map((path) => readFileSync(path, 'utf8')).join('');

test('the log of a session reveals nothing about the user’s work', async (t) => {
  const parent = join(temporaryFolder('locus-log-'), MARK);
  mkdirSync(join(parent, 'home'), { recursive: true });
  const before = { ...process.env };
  t.after(() => {
    process.env = before;
    removeFolder(join(parent, '..'));
  });
  Object.assign(process.env, ENVIRONMENT, { HOME: join(parent, 'home') });
  const { dataDir, root } = await runFullSession(parent, { issue: ISSUE, code: CODE });
  t.after(() => removeFolder(root));

  const refused = [
    ['search', join(parent, 'missing'), ISSUE],
    ['search', root, '--fetch', '--issue', `https://${MARK}:pw@127.0.0.1:1/a/b/issues/1`],
    ['search', root, ISSUE, '--check', '--check-agree'],
    ['show', root, `${MARK}.py::missing`],
    ['fleet', 'search', ISSUE, '--objects', parent, '--engine', 'http://127.0.0.1:1'],
  ].map((args) => runLocus(dataDir, args));
  assert.ok(
    refused.filter(({ status }) => status !== 0).length > 2,
    refused.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
  );
  assert.ok(
    refused.some(({ stderr }) => stderr.includes(MARK)),
    'messages name the failed object',
  );

  for (const database of globSync(join(dataDir, 'repositories/*/index.db')))
    writeFileSync(database, `${MARK} `.repeat(2000));
  assert.equal(runLocus(dataDir, ['search', root, ISSUE]).status, 0);

  const session = startSession({ dataDir });
  const client = connect(session);
  await assert.rejects(client.call('repository.open', { root: join(parent, 'gone') }));
  await session.close();

  const logs = readdirSync(join(dataDir, 'logs')).map((name) => join(dataDir, 'logs', name));
  const text = read(logs);
  for (const event of ['started', 'indexed', 'searched', 'failed', 'data-damaged'])
    assert.match(text, new RegExp(`\\] ${event} `), `${event} was logged:\n${text}`);
  assert.match(text, /\] failed error=LocusError\/[a-z-]+@src\/[\w/.-]+:\d+:\d+/);
  assert.doesNotMatch(text, new RegExp(MARK, 'i'));
  for (const path of [parent, root, dataDir]) assert.ok(!text.includes(path), path);
  assert.doesNotMatch(text, /total|prices|shop\.py|127\.0\.0\.1/i);

  // Control: the search finds the word elsewhere.
  assert.match(read(globSync(join(dataDir, 'app.db*'))), new RegExp(MARK));
  appendFileSync(logs[0] ?? '', MARK);
  assert.match(read(logs), new RegExp(MARK));
});
