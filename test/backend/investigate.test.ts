import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { CHECK_DEFAULTS } from '../../src/shared/check.ts';
import { getInvestigationOrigin } from '../../src/shared/investigate.ts';
import { breakSandboxes, installAgent } from '../investigate/install-agent.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { connect, indexed, workplace } from './support.ts';

await keepThreads('auto');

const request = { issue: 'quote_value should keep the cookie value' };
const ENTRY = join(import.meta.dirname, '../../src/cli/entry.ts');

describe('a window that investigates', { skip: process.platform === 'win32' }, () => {
  const { PATH } = process.env;
  const bin = temporaryFolder();
  before(() => {
    process.env.PATH = breakSandboxes(bin);
  });
  after(() => {
    process.env.PATH = PATH;
    removeFolder(bin);
  });

  let place: ReturnType<typeof workplace>;
  beforeEach(() => {
    place = workplace(undefined, { commandLine: [process.execPath, ENTRY] });
  });
  afterEach(() => place.done());

  async function window(script: string) {
    const agent = installAgent(place.dataDir, script);
    const client = connect(place.session);
    const done = indexed(client);
    const { id: repository } = await client.call('repository.open', { root: place.root });
    await done;
    const address = `agent:${agent.path}`;
    await client.call('settings.set', { check: { ...CHECK_DEFAULTS, address } });
    return { client, repository, agent, address };
  }

  it('starts no agent before the user agreed to both', async () => {
    const { client, repository, agent } = await window('answers');
    const run = () => client.call('investigate.run', { repository, run: randomUUID(), request });
    const plan = await client.call('investigate.plan', { repository, request });
    assert.deepEqual([plan.agreed, plan.trusted, plan.sandbox], [false, false, null]);
    assert.equal(plan.program, agent.path);
    await assert.rejects(run(), { code: 'bad-input', message: /not agreed yet/ });
    await client.call('investigate.agree', { repository, trusted: false });
    await assert.rejects(run(), { code: 'bad-input', message: /no sandbox that works/ });
    assert.equal(agent.read().pid, 0);
    await client.call('investigate.agree', { repository, trusted: true });
    const after = await client.call('investigate.plan', { repository, request });
    assert.deepEqual([after.agreed, after.trusted], [true, true]);
    assert.equal((await run()).failure, null);
  });

  it('hears the steps, and gets the order of an agent that used the tools', async () => {
    const { client, repository } = await window('uses the tools');
    await client.call('investigate.agree', { repository, trusted: true });
    const run = randomUUID();
    const steps: unknown[] = [];
    client.on('investigating', (event) => steps.push(event));
    const done = await client.call('investigate.run', { repository, run, request });
    assert.equal(done.failure, null);
    assert.equal(done.chunks[0]?.reason, 'Found quote_value.');
    assert.deepEqual(steps, [{ run, step: { kind: 'tool', text: 'locate' } }]);
  });

  it('withdraws the agreement with that to checks, and needs an agent', async () => {
    const { client, repository, address } = await window('answers');
    await client.call('investigate.agree', { repository, trusted: true });
    assert.equal(place.session.checkFile.state(getInvestigationOrigin(address)).agreed.length, 1);
    await client.call('check.withdraw', { address });
    assert.equal(place.session.checkFile.state(getInvestigationOrigin(address)).agreed.length, 0);
    const server = { ...CHECK_DEFAULTS, address: 'http://127.0.0.1:1/v1', model: 'tiny' };
    await client.call('settings.set', { check: server });
    await assert.rejects(client.call('investigate.plan', { repository, request }), {
      code: 'bad-input',
      message: 'No agent is set up.',
    });
  });
});
