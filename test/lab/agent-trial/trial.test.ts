/* Tests `npm run lab -- agent-trial` as a whole: real processes, a scripted agent, and a queue. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { quoteWord } from '../../../lab/agent-trial/attempt-folder.ts';
import { readLog } from '../../../lab/agent-trial/call-log.ts';
import {
  checkOutMain,
  copyAncestors,
  diffCheckout,
} from '../../../lab/agent-trial/limited-clone.ts';
import { type Outcome, openOutcomes } from '../../../lab/agent-trial/outcome.ts';
import { getServerCommand, ToolServer } from '../../../lab/agent-trial/tools.ts';
import { SHOP } from '../../mcp/agent.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../../support/repository.ts';
import { waitUntilEnded } from '../../support/wait-until-ended.ts';

const COMMAND = join(import.meta.dirname, '../../../lab/agent-trial/command.ts');
const AGENT = join(import.meta.dirname, 'scripted-agent.ts');
const ANSWER = 'Prices of a cart are rounded to the wrong number of digits';

let folder: string;
let clone: string;
let base: string;
let fix: string;
let patch: string;

before(() => {
  folder = realpathSync(temporaryFolder());
  clone = gitRepository(SHOP, join(folder, 'clones/acme__shop'));
  base = git(clone, 'rev-parse', 'HEAD');
  const money = SHOP['shop/money.py'].replace('digits=1', 'digits=2');
  writeFiles(clone, { 'shop/money.py': money });
  git(clone, 'commit', '-q', '-a', '-m', 'Fix the digits');
  git(clone, 'tag', 'v2');
  fix = git(clone, 'rev-parse', 'HEAD');
  patch = `${git(clone, 'diff', base, fix)}\n`;
  // An `rg` for a machine without one.
  writeFiles(folder, { 'programs/rg': '#!/bin/sh\nexec grep -r "$@" .\n' });
  chmodSync(join(folder, 'programs/rg'), 0o755);
});
after(() => removeFolder(folder));

function writeDataset(name: string, issues: readonly string[]): string {
  const path = join(folder, name);
  const lines = issues.map((problem_statement) =>
    JSON.stringify({
      ...{ instance_id: `shop #${problem_statement.split(' ')[0]}`, repo: 'acme/shop' },
      ...{ base_commit: base, problem_statement, patch },
    }),
  );
  writeFileSync(path, lines.join('\n'));
  return path;
}

/** Arguments and environment of a run with the clones of this test. */
function prepareRun(dataset: string, out: string, agent: string, more: readonly string[]) {
  const args = ['--dataset', dataset, '--repos', join(folder, 'clones'), '--out', out];
  const env = {
    ...process.env,
    PATH: [join(folder, 'programs'), process.env.PATH].join(delimiter),
  };
  return { args: [COMMAND, ...args, '--agent', agent, ...more], env };
}

function runTrial(dataset: string, out: string, more: readonly string[] = []) {
  const notes = join(folder, 'notes.jsonl');
  const agent = [process.execPath, AGENT].map(quoteWord).join(' ');
  const command = `${agent} {mcp} ${quoteWord(notes)} {server-options}`;
  const { args, env } = prepareRun(dataset, out, command, more);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const noted = existsSync(notes)
    ? readFileSync(notes, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  return { status, stdout, stderr, notes: noted };
}

const readOutcomes = (out: string): Outcome[] =>
  readFileSync(join(out, 'results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a checkout for an agent', () => {
  it('has the commits up to the base, and nothing of those after it', async () => {
    const source = join(folder, 'source.git');
    const checkout = join(folder, 'checkout');
    await copyAncestors(clone, base, source);
    checkOutMain(source, checkout);
    for (const root of [source, checkout]) {
      const all = git(root, 'cat-file', '--batch-all-objects', '--batch-check');
      assert.ok(all.includes(base));
      assert.ok(!all.includes(fix));
      assert.ok(!all.includes(git(clone, 'rev-parse', `${fix}:shop/money.py`)));
      assert.equal(git(root, 'log', '--all', '--format=%H'), base);
      assert.throws(() => git(root, 'cat-file', '-e', fix));
    }
    assert.equal(diffCheckout(checkout), '');
    writeFiles(checkout, { 'shop/money.py': 'rounded = round\n' });
    git(checkout, 'commit', '-q', '-a', '-m', 'An edit that was committed');
    assert.match(diffCheckout(checkout), /^\+rounded = round$/m);
  });
});

describe('a checkout from a partial clone', () => {
  it('lacks the files that the clone lacks, and takes them for unchanged', async () => {
    const partial = gitRepository({ 'a.py': 'a = 1\n', 'lost.py': 'b = 1\n' }, join(folder, 'p'));
    const lost = git(partial, 'rev-parse', 'HEAD:lost.py');
    rmSync(join(partial, '.git/objects', lost.slice(0, 2), lost.slice(2)));
    const source = join(folder, 'partial.git');
    const checkout = join(folder, 'partial-checkout');
    await copyAncestors(partial, 'HEAD', source);
    checkOutMain(source, checkout);
    assert.deepEqual(readdirSync(checkout).sort(), ['.git', 'a.py']);
    assert.equal(diffCheckout(checkout), '');
    writeFiles(checkout, { 'a.py': 'a = 2\n' });
    assert.match(diffCheckout(checkout), /^\+a = 2$/m);
  });
});

describe('the placebo', () => {
  it('has the tools of the real server, and answers in its form by words', async () => {
    const checkout = join(folder, 'placebo');
    git(folder, 'clone', '-q', clone, checkout);
    const dataDir = join(folder, 'placebo-data');
    const start = (arm: 'locus' | 'placebo') =>
      ToolServer.start(getServerCommand(arm, checkout, dataDir) ?? [], checkout);
    const real = await start('locus');
    const placebo = await start('placebo');
    try {
      assert.ok(real.tools.length > 0);
      assert.deepEqual(placebo.tools, real.tools);
      assert.equal(placebo.instructions, real.instructions);
      const issue = { query: 'What all items of it cost' };
      const { text } = await placebo.call('locate', issue);
      assert.match(text, /`Cart\.total`/);
      const found = await real.call('locate', issue);
      const form = (answer: string) =>
        answer
          .split('\n', 2)
          .join('\n')
          .replace(/`.*?`|\d+/g, '·')
          .replace(/\(\w+/, '(kind');
      assert.equal(form(text), form(found.text));
      const failed = await placebo.call('read', { names: ['missing'] });
      assert.deepEqual(failed, await real.call('read', { names: ['missing'] }));
      assert.equal(failed.isError, true);
    } finally {
      await placebo.close();
      await real.close();
    }
  });
});

describe('a trial of a command line', () => {
  it('tries each issue in each arm, with names, edits and a crash, and is resumed', () => {
    const out = join(folder, 'out');
    const first = runTrial(writeDataset('one.jsonl', [ANSWER]), out, ['--server-options', 'given']);
    assert.equal(first.status, 0, first.stderr);
    assert.equal(first.notes.length, 3);
    for (const { commits } of first.notes) assert.equal(commits, 'First\n');
    assert.deepEqual(
      first.notes.map(({ option }) => option),
      [null, 'given', 'given'],
    );
    const [rg = '', ...others] = first.notes.map(({ prompt }) =>
      prompt.replaceAll(/\S+checkout/g, ''),
    );
    for (const other of others)
      assert.equal(other.replace('\nAnd the tools of the MCP server `locus`.', ''), rg);
    assert.equal(runTrial(join(folder, 'one.jsonl'), out).status, 2, 'without --resume');

    const all = writeDataset('all.jsonl', [ANSWER, 'It edits the code', 'Then it crashes']);
    const second = runTrial(all, out, ['--resume', '--server-options', 'given']);
    assert.equal(second.status, 0, second.stderr);
    assert.equal(second.notes.length, 9, 'finished attempts are not repeated');
    const outcomes = readOutcomes(out);
    const pick = (issue: string, arm: string) => {
      const found = outcomes.find((one) => one.instance === `shop #${issue}` && one.arm === arm);
      assert.ok(found);
      return found;
    };
    for (const arm of ['rg', 'locus', 'placebo']) {
      assert.deepEqual(pick('Prices', arm).edited, ['shop/money.py::rounded']);
      const { named, changed, ranks, ending } = pick('It', arm);
      assert.deepEqual(
        { named, changed, ranks, ending },
        {
          ...{ named: [], changed: ['shop/money.py::rounded'] },
          ...{ ranks: [1], ending: 'answered' },
        },
      );
      assert.equal(pick('Then', arm).ending, 'failed');
      assert.deepEqual(pick('Then', arm).ranks, [null]);
    }
    const wrong = pick('Prices', 'rg');
    assert.deepEqual(wrong.ranks, [null]);
    assert.deepEqual(wrong.tools, { head: 1, git: 1 });
    const right = pick('Prices', 'locus');
    assert.deepEqual(right.ranks, [1]);
    assert.deepEqual(right.tools, { 'locus locate': 1, git: 1 });
    assert.ok(right.bytes > 100);
    assert.match(second.stdout, /^3 issues, each in 3 arms\./);
    assert.match(second.stdout, /^\| locus − rg +\| +any right \| +0\.33 \|/m);
    assert.deepEqual(readdirSync(join(out, 'data/repositories')).length, 3, 'one index an issue');
  });

  it('stops an agent that hangs, with its children', async () => {
    const out = join(folder, 'hanging');
    const dataset = writeDataset('hanging.jsonl', ['It hangs']);
    const { status, notes } = runTrial(dataset, out, ['--arms', 'rg', '--minutes', '0.1']);
    assert.equal(status, 0);
    const [outcome] = readOutcomes(out);
    assert.equal(outcome?.ending, 'timed out');
    await waitUntilEnded(notes.at(-1).child);
  });
});

describe('a trial by a queue', () => {
  let trial: ChildProcess;
  after(() => trial?.kill('SIGKILL'));

  it('asks for answers in a folder, and counts what `run` printed', async () => {
    const out = join(folder, 'asked');
    const queue = join(folder, 'queue');
    const dataset = writeDataset('asked.jsonl', [ANSWER]);
    const { args, env } = prepareRun(dataset, out, `queue:${queue}`, ['--jobs', '3']);
    trial = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    const ended = new Promise((resolve) => trial.once('exit', resolve));
    const listRequests = () =>
      existsSync(queue) ? readdirSync(queue).filter((name) => name.endsWith('.json')) : [];
    while (listRequests().length < 3) await sleep(100);
    for (const name of listRequests()) {
      const request = JSON.parse(readFileSync(join(queue, name), 'utf8'));
      const ask = (...words: string[]) =>
        spawnSync(request.run, words, {
          encoding: 'utf8',
          env,
          input: JSON.stringify({ query: ANSWER }),
        });
      assert.match(readFileSync(request.prompt, 'utf8'), /# Issue\n\nPrices of a cart/);
      assert.match(ask('rg -n "def rounded" | cut -c 1-30').stdout, /^\.\/shop\/money\.py:1:/);
      assert.equal(ask('exit 3').status, 3);
      assert.match(ask('seq 100000').stdout, /\n… \d+ more characters\n$/);
      const located = ask('locus', 'locate', '-');
      const piped = ask(`locus locate '{"query": "digits"}' | head -n 2`);
      if (request.arm === 'rg') assert.match(located.stdout + piped.stdout, /not found/);
      else assert.match(located.stdout, /`shop\/money\.py`\n\d\. `rounded`/);
      assert.equal(/^`.*`\n1\. `/.test(piped.stdout), request.arm !== 'rg');
      writeFileSync(request.answer, '{"edit": "shop/money.py::rounded"}');
    }
    assert.equal(await ended, 0);
    assert.deepEqual(listRequests(), []);
    const outcomes = readOutcomes(out);
    assert.deepEqual(
      outcomes.map(({ ranks, calls }) => ({ ranks, calls })),
      Array(3).fill({ ranks: [1], calls: 5 }),
    );
    const [attempt = ''] = readdirSync(out).filter((name) => name.startsWith('shop'));
    const log = readLog(join(out, attempt, 'locus', 'log.jsonl'));
    assert.deepEqual(
      log.map(({ tool }) => tool),
      ['sh', 'sh', 'sh', 'locus locate', 'sh'],
    );
    const transcript = readFileSync(join(out, attempt, 'rg', 'transcript.txt'), 'utf8');
    assert.match(transcript, /^\$ rg -n "def rounded"/);
    assert.ok((log[2]?.bytes ?? 0) > 30_000 && (log[2]?.bytes ?? 0) < 30_100);
  });
});

describe('the file with outcomes', () => {
  it('is not continued with another agent', () => {
    const file = join(folder, 'results.jsonl');
    const outcome: Outcome = {
      ...{ instance: 'a', repo: 'a/b', arm: 'rg', ending: 'answered', edited: ['a.py::f'] },
      ...{
        named: [],
        changed: [],
        ranks: [null],
        calls: 1,
        bytes: 1,
        tools: {},
        tokens: null,
        seconds: 1,
      },
    };
    openOutcomes(file, { agent: 'one' }).add('key', outcome);
    assert.equal(openOutcomes(file, { agent: 'one' }).find('key')?.instance, 'a');
    assert.throws(() => openOutcomes(file, { agent: 'other' }), /another version, model or option/);
  });
});
