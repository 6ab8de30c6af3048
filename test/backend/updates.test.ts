import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createUpdateHandlers } from '../../src/backend/updates.ts';
import { answer, startCodeHost } from '../issue-urls/code-host-server.ts';
import { packageDocument } from '../updates/package-document.ts';

it('a window checks for updates at the host that it was offered, and at no other', async (t) => {
  const registry = await startCodeHost((_, response) =>
    answer(response, 200, packageDocument('99.0.0')),
  );
  const { npm_config_registry: earlier } = process.env;
  t.after(async () => {
    if (earlier === undefined) delete process.env.npm_config_registry;
    else process.env.npm_config_registry = earlier;
    await registry.close();
  });
  process.env.npm_config_registry = registry.origin;
  const handlers = createUpdateHandlers();
  const { signal } = new AbortController();
  const { host } = await handlers['update.offer']({}, signal);
  for (const other of ['', 'registry.npmjs.org', `${host}.example.org`])
    await assert.rejects(async () => handlers['update.check']({ host: other }, signal), {
      code: 'bad-input',
      message: /no longer set/,
    });
  assert.equal(registry.asked.length, 0);
  assert.equal((await handlers['update.check']({ host }, signal)).latest, '99.0.0');
  assert.equal(registry.asked.length, 1);
});
