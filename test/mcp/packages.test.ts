import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { type Agent, ISSUE, SHOP, stdioAgent } from './agent.ts';

describe('packages of a monorepo for an agent', () => {
  let dataDir: string;
  let root: string;
  let agent: Agent;

  before(async () => {
    dataDir = temporaryFolder();
    const files = Object.entries(SHOP).flatMap(([path, text]) => [
      [`services/till/${path}`, text],
      [`services/web/${path}`, text],
    ]);
    root = gitRepository({
      ...Object.fromEntries(files),
      'services/till/pyproject.toml': '[project]\nname = "acme-till"\n',
      'services/web/setup.cfg': '[metadata]\nname = acme-web\n',
    });
    agent = await stdioAgent({ dataDir, args: ['--repo', root] });
    await agent.ready(ISSUE);
  });
  after(async () => {
    await agent?.close();
    removeFolder(root);
    removeFolder(dataDir);
  });

  it('are shown with each result, and selected by name or folder', async () => {
    const all = await agent.call('locate', { query: ISSUE, limit: 20 });
    assert.deepEqual(
      new Set(all.value.results.map((result: { package: string }) => result.package)),
      new Set(['acme-till', 'acme-web']),
    );
    assert.match(all.text, /^`services\/(till|web)\/.*`\n1\. .* in `acme-\1`/);
    for (const name of ['acme-web', 'services/web']) {
      const { value } = await agent.call('locate', { query: ISSUE, package: [name] });
      assert.ok(value.results.length > 0);
      for (const { path } of value.results) assert.match(path, /^services\/web\//);
      assert.equal(value.confidence, null);
    }
  });

  it('are listed in the error for an unknown one', async () => {
    const said = await agent.fails('locate', { query: ISSUE, package: ['acme-wed'] });
    assert.match(said, /The package acme-wed does not exist.*acme-web, acme-till/s);
  });
});
