import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openAppDatabase } from '../../src/backend/app-database.ts';
import { type ForkedEngine, forkEngine } from '../../src/server/child.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

/** Connects a window and asks for the settings; resolves with the welcome and the answer. */
function ask(engine: ForkedEngine, client: string) {
  return new Promise<Record<'welcome' | 'answer', Record<string, never>>>((resolve) => {
    let welcome = {};
    engine.onMessage(({ client: to, text }) => {
      if (to !== client) return;
      const message = JSON.parse(text);
      if (message.event === 'welcome') {
        welcome = message.data;
        const request = JSON.stringify({ id: 1, method: 'settings.get' });
        engine.send({ type: 'message', client, text: request });
      }
      if (message.id === 1) resolve({ welcome, answer: message });
    });
    engine.send({ type: 'connect', client, allowedRoot: null });
  });
}

test('an engine that cannot use app.db keeps running and says why; a reloaded window recovers', async () => {
  const dataDir = temporaryFolder();
  openAppDatabase(dataDir)[Symbol.dispose]();
  const change = (version: number) => {
    const database = new Sqlite(join(dataDir, 'app.db'));
    database.pragma(`user_version = ${version}`);
    database.close();
  };
  const database = new Sqlite(join(dataDir, 'app.db'));
  const known = database.pragma('user_version', { simple: true }) as number;
  database.close();
  change(99);
  const engine = forkEngine({ dataDir });
  const ended: string[] = [];
  engine.onExit((reason) => ended.push(reason));
  try {
    const refused = await ask(engine, 'a');
    for (const { code, message, remedy } of [refused.welcome.failure, refused.answer.error]) {
      assert.equal(code, 'bad-store');
      assert.match(message, /newer version of Locus/);
      assert.match(remedy, /Update Locus/);
    }
    change(known);
    const { welcome, answer } = await ask(engine, 'b');
    assert.equal(welcome.failure, null);
    assert.equal((answer.result as { theme: string }).theme, 'system');
    assert.deepEqual(ended, []);
  } finally {
    const exit = new Promise<void>((resolve) => engine.onExit(() => resolve()));
    engine.stop();
    await exit;
    removeFolder(dataDir);
  }
});
