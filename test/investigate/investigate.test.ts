import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CheckFile } from '../../src/services/check/check-file.ts';
import { investigate } from '../../src/services/investigate/investigate.ts';
import { LocusError } from '../../src/shared/errors.ts';
import {
  getInvestigationOrigin,
  INVESTIGATION_DEFAULTS,
  type InvestigationStep,
} from '../../src/shared/investigate.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { engineOrder, namesOf, ranking } from '../check/sample.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { installAgent, readRecord, waitUntilEnded } from './install-agent.ts';

const POSIX = process.platform !== 'win32';

describe('an investigation', { skip: !POSIX }, () => {
  let folder: string;
  let root: string;
  beforeEach(() => {
    folder = temporaryFolder();
    root = join(folder, 'repository');
  });
  afterEach(() => removeFolder(folder));

  const log = () => join(folder, 'agent.mjs.log');

  /** Investigates with a scripted agent that the user trusts, on a system without a sandbox. */
  async function run(
    script: string,
    {
      signal = new AbortController().signal,
      toolCalls = 40,
      seconds = 60,
      agreed = true,
      trusted = true,
      onStep = (_: InvestigationStep) => {},
    } = {},
  ) {
    const agent = installAgent(folder, script, { argument: root });
    const address = `agent:${agent.path}`;
    const file = new CheckFile(folder, {});
    if (agreed) file.agree(getInvestigationOrigin(address), root);
    if (trusted) file.trust(agent.path);
    const steps: InvestigationStep[] = [];
    const { repository, ...rest } = ranking(5);
    const done = await investigate(
      { ...rest, repository: { ...repository, file: indexOf(repository.file) }, root },
      {
        settings: { ...INVESTIGATION_DEFAULTS, address, toolCalls, seconds },
        file,
        env: { PATH: dirname(process.execPath), HOME: folder, SECRET: 'of-nobody' },
        tools: { command: '/opt/locus', args: ['mcp', '--repo', root] },
        readable: [],
        signal,
        onStep: (step) => {
          steps.push(step);
          onStep(step);
        },
      },
    );
    return { done, steps, told: agent.read() };
  }

  /** An index that has one file. */
  const indexOf =
    (file: Repository['file']): Repository['file'] =>
    async (request) => {
      if (request.path !== 'a.py') throw new LocusError('not-found', 'No such file.', 'Search.');
      return file(request);
    };

  it('shows the steps, and returns the order of the last message', async () => {
    const { done, steps, told } = await run('answers');
    assert.equal(done.failure, null);
    assert.deepEqual(namesOf(done), ['f2', 'f1', 'f3', 'f4', 'f5']);
    assert.deepEqual(done.missing, ['sold']);
    assert.deepEqual(done.investigation, { sandbox: null, toolCalls: 1, refused: 0 });
    assert.deepEqual(
      steps.map(({ kind, text }) => `${kind} ${text}`),
      [
        'thought The total is',
        'thought wrong in two places.',
        'plan Read f2',
        'tool locus: read f2',
      ],
    );
    const { prompts, session, initialize, cwd, env } = told;
    assert.match(prompts[0] ?? '', /Cookies are cut short[\s\S]*"f5"/);
    assert.deepEqual(session.mcpServers, [
      { name: 'locus', command: '/opt/locus', args: ['mcp', '--repo', root], env: [] },
    ]);
    const { fs, terminal } = initialize.clientCapabilities;
    assert.deepEqual([fs, terminal], [{ readTextFile: true, writeTextFile: false }, false]);
    assert.equal(session.cwd, cwd);
    assert.equal(existsSync(cwd), false, 'the folder is removed');
    assert.equal(env.SECRET, undefined);
  });

  it('refuses every request for permission', async () => {
    const { done, steps, told } = await run('asks for permission');
    assert.match(told.results.offered ?? '', /"selected","optionId":"reject_once"/);
    assert.match(told.results.forced ?? '', /"cancelled"/);
    assert.equal(done.investigation.refused, 2);
    assert.deepEqual(steps[0], { kind: 'refused', text: 'Permission for: rm -rf / [2J' });
    assert.equal(namesOf(done)[0], 'f2');
  });

  it('lets the agent read files of the index, and nothing else', async () => {
    const { done, told } = await run('tries everything');
    assert.match(told.results.indexed ?? '', /\{"content":" {4}pass"\}/);
    for (const name of ['write', 'terminal', 'unknown'])
      assert.match(told.results[name] ?? '', /^-32601/);
    for (const name of ['passwd', 'up', 'link', 'relative', 'config'])
      assert.match(told.results[name] ?? '', /^-32602/, name);
    assert.deepEqual(done.investigation, { sandbox: null, toolCalls: 1, refused: 8 });
  });

  it('asks once more if the answer names no function', async () => {
    const { done } = await run('answers at the second prompt');
    assert.equal(namesOf(done)[0], 'f2');
    const { done: none } = await run('answers nothing');
    assert.match(none.failure?.message ?? '', /name none of the functions/);
    assert.deepEqual(namesOf(none), engineOrder(5));
  });

  it('survives lines that are no messages, and prints nothing of them', async (t) => {
    const printed = t.mock.method(console, 'error', () => {});
    const { done } = await run('sends garbage');
    assert.equal(namesOf(done)[0], 'f2');
    assert.equal(printed.mock.callCount(), 0);
  });

  it('shows hostile text as short lines, and knows only its own functions', async () => {
    const { done, steps } = await run('answers with hostile text');
    assert.deepEqual(namesOf(done), ['f3', 'f1', 'f2', 'f4', 'f5']);
    assert.ok(done.chunks.every(({ reason }) => reason.length <= 200 && !/\p{Cc}/u.test(reason)));
    assert.ok(done.missing.every((text) => text.length <= 80));
    for (const { text } of steps) assert.doesNotMatch(text, /\p{Cc}/u);
  });

  const failures: Record<
    string,
    [message: RegExp, limits?: { toolCalls?: number; seconds?: number }]
  > = {
    'calls without end': [/made more than 3 tool calls/, { toolCalls: 3 }],
    'never answers': [/did not answer within 1 second/, { seconds: 1 }],
    'ignores that it is cancelled': [/did not answer within 1 second/, { seconds: 1 }],
    'floods with updates': [/sent more than an investigation needs/],
    'floods with lines': [/sent more than an investigation needs/],
    'sends a line of 100 MB': [/sent more than an investigation needs/],
    dies: [/ended with 3: Out of credit\.\\e\[2J\.$/],
    'is not signed in': [/is not signed in/],
    'speaks another version': [/speaks version 7/],
  };
  for (const [script, [message, limits]] of Object.entries(failures))
    it(`with an agent that ${script} leaves the list as it is`, async () => {
      const { done, steps, told } = await run(script, limits);
      assert.match(done.failure?.message ?? '', message);
      assert.deepEqual(namesOf(done), engineOrder(5));
      assert.ok(done.chunks.every(({ isEdit, from, to }) => !isEdit && from === to));
      assert.ok(steps.length <= 1_000);
      await waitUntilEnded(told.pid);
    });

  it('kills what the agent leaves behind', async () => {
    const { done, told } = await run('leaves a child behind');
    assert.equal(namesOf(done)[0], 'f2');
    const [child = ''] = Object.keys(told.results).filter((name) => name.startsWith('child'));
    await waitUntilEnded(Number(child.slice('child '.length)));
  });

  for (const script of ['never answers', 'ignores that it is cancelled'])
    it(`is cancelled at any time, with an agent that ${script}`, async () => {
      const controller = new AbortController();
      const running = run(script, { signal: controller.signal });
      while (readRecord(log()).prompts.length === 0) await sleep(20);
      controller.abort();
      await assert.rejects(running, { code: 'cancelled' });
      assert.equal(readRecord(log()).cancelled, true, 'the agent was told');
      await waitUntilEnded(readRecord(log()).pid);
    });

  it('starts nothing before the user agreed, and nothing untrusted without a sandbox', async () => {
    await assert.rejects(run('answers', { agreed: false, trusted: false }), {
      code: 'bad-input',
      message: /You have not agreed yet/,
    });
    await assert.rejects(run('answers', { trusted: false }), {
      code: 'bad-input',
      message: /no sandbox/,
    });
    assert.equal(existsSync(log()), false);
  });
});
