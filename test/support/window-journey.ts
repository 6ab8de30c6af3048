/**
 * Edits and marks a repository in a window while system calls that change files fail: `node window-journey.ts <root> <data dir>`.
 * Prints a line of JSON: the acknowledged marks, the failures, and the marks at the end.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSession } from '../../src/backend/engine-host.ts';
import { connect } from '../backend/support.ts';

const [root, dataDir] = process.argv.slice(2);
const failures: string[] = [];
const acknowledged: string[] = [];

/** Tries until it succeeds, and records each failure. */
async function persist<T>(attempt: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      failures.push(`${code}: ${message}`);
      await sleep(100);
    }
  }
}

const session = await persist(() => startSession({ dataDir, device: 'cpu' }));
const client = connect(session);
client.on('indexing', ({ state: { failure } }) => {
  if (failure) failures.push(`${failure.code}: ${failure.message}`);
});
const { id: repository } = await persist(() => client.call('repository.open', { root }));
const issue = randomUUID();
await persist(() => client.call('issues.save', { repository, issue, text: 'cookies' }));
for (const round of [1, 2, 3]) {
  const name = `written_in_round_${round}`;
  writeFileSync(join(root, `round_${round}.py`), `def ${name}():\n    return ${round}\n`);
  while (
    (await client.call('find', { repository, request: { query: name } }).catch(() => [])).length < 1
  )
    await sleep(50);
  const marks = [{ chunk: `round_${round}.py::${name}`, mark: 'edit' as const, note: name }];
  await persist(async () => {
    const { missing } = await client.call('marks.set', { repository, issue, marks });
    if (missing.length > 0) throw new Error('not found yet');
  });
  acknowledged.push(name);
}
const readState = () => client.call('status', { repository, request: {} });
while ((await persist(readState)).state !== 'complete') await sleep(100);
const marks = await client.call('marks.list', { repository, issue });
await session.close();
process.stdout.write(
  JSON.stringify({ acknowledged, failures, marked: marks.map(({ note }) => note) }),
);
