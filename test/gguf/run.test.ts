import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseAnswer } from '../../src/services/check/answer.ts';
import { checkRanking, planCheck } from '../../src/services/check/check.ts';
import { CheckFile } from '../../src/services/check/check-file.ts';
import { GgufProcess } from '../../src/services/check/gguf-process.ts';
import { buildAnswerSchema } from '../../src/services/check/prompt.ts';
import { StoredAnswers } from '../../src/services/check/stored-answers.ts';
import {
  addLanguageModel,
  findLanguageModel,
  removeLanguageModel,
} from '../../src/services/gguf/models.ts';
import { findRuntime } from '../../src/services/gguf/runtime.ts';
import { CHECK_DEFAULTS, type CheckSettings } from '../../src/shared/check.ts';
import { engineOrder, namesOf, ranking } from '../check/sample.ts';
import { provideRuntime } from '../support/gguf-runtime.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { createTinyModel, TINY_TOKEN_BYTES, writeTinyModel } from '../support/tiny-gguf.ts';
import { waitUntilEnded } from '../support/wait-until-ended.ts';

const QUESTION = { system: 'You rank.', prompt: 'Rank these.', schema: null, maxTokens: 20 };
const COMMON = { sha256: null, name: null, format: null, template: null };
const never = () => new AbortController().signal;

describe('a model that Locus runs itself', () => {
  let folder: string;
  const opened: GgufProcess[] = [];

  before(async () => {
    folder = temporaryFolder();
    await provideRuntime(folder);
    for (const name of ['tiny', 'tiny-rankzephyr']) {
      const source = join(folder, `${name}.gguf`);
      writeTinyModel(source);
      const signal = never();
      await addLanguageModel({ ...COMMON, dataDir: folder, source, signal });
    }
  });
  after(() => removeFolder(folder));
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  const check = (
    name: string,
    settings: Partial<CheckSettings> = {},
    signal = never(),
    answers?: StoredAnswers,
  ) =>
    checkRanking(ranking(5), {
      settings: { ...CHECK_DEFAULTS, address: `local:${name}`, seconds: 300, ...settings },
      file: new CheckFile(folder, {}),
      signal,
      answers,
    });

  function open(file: string, options: { idleMs?: number; context?: number } = {}): GgufProcess {
    const { library, useGpu } = findRuntime(folder) ?? { library: '', useGpu: false };
    const running = new GgufProcess({ library, file, context: 4096, useGpu, ...options });
    opened.push(running);
    return running;
  }
  const openTiny = (options = {}) => open(findLanguageModel(folder, 'tiny').file, options);

  it('answers in the form of the schema', async () => {
    const first = await check('tiny');
    assert.equal(first.failure, null);
    assert.equal(first.isExternal, false);
    assert.equal(first.model, 'tiny');
    assert.equal(first.place, 'on this machine');
    assert.deepEqual(namesOf(first).sort(), engineOrder(5));
    assert.ok((first.used.tokens ?? 0) > 0);
  });

  it('whose process ends in the middle of an answer has written a part of it', async () => {
    const running = openTiny();
    let text = '';
    const answer = running.ask({ ...QUESTION, maxTokens: 3000 }, never(), (part) => {
      text += part;
      if (running.pid !== null) process.kill(running.pid, 'SIGKILL');
    });
    await assert.rejects(answer, { code: 'device' });
    assert.notEqual(text, '');
  });

  it('gives the same answer to the same question', async () => {
    const question = { ...QUESTION, schema: buildAnswerSchema(5), maxTokens: 600 };
    const first = openTiny();
    const parts: string[] = [];
    const answer = await first.ask(question, never(), (part) => parts.push(part));
    assert.deepEqual(await first.ask(question, never()), answer);
    assert.deepEqual(await openTiny().ask(question, never()), answer);
    assert.ok(parseAnswer(answer.text, 5));
    assert.equal(parts.join(''), answer.text);
    assert.ok(parts.length > 1);
  });

  it('is asked for a list of identifiers if it was trained for that', async () => {
    const address = 'local:tiny-rankzephyr';
    const file = new CheckFile(folder, {});
    const settings = { ...CHECK_DEFAULTS, address, lookAgain: true };
    const plan = await planCheck(ranking(5), { settings, file });
    assert.equal(plan.more, 0);
    const outcome = await check('tiny-rankzephyr');
    assert.equal(outcome.used.characters / outcome.used.requests, plan.expected.characters);
    const { expected } = await planCheck(ranking(5), {
      settings: { ...CHECK_DEFAULTS, address: 'local:tiny' },
      file,
    });
    assert.notEqual(plan.expected.characters, expected.characters);
    // Random weights write no list, and nothing forces them to.
    assert.deepEqual(namesOf(outcome).sort(), engineOrder(5));
  });

  it('needs no agreement, since nothing leaves the machine', async () => {
    const settings = { ...CHECK_DEFAULTS, address: 'local:tiny' };
    const plan = await planCheck(ranking(5), { settings, file: new CheckFile(folder, {}) });
    assert.equal(plan.agreed, true);
    assert.equal(plan.isExternal, false);
  });

  it('is killed when it exceeds the time limit', async () => {
    const outcome = await check('tiny', { seconds: 0.001 });
    assert.match(outcome.failure?.message ?? '', /tiny did not answer within 0.001 seconds/);
  });

  it('is killed while it loads and while it answers, when the check is cancelled', async () => {
    const running = openTiny();
    const loading = new AbortController();
    const answer = running.ask(QUESTION, loading.signal);
    while (running.pid === null) await sleep(1);
    loading.abort();
    await assert.rejects(answer, { code: 'cancelled' });
    assert.equal(running.pid, null);

    await running.ask(QUESTION, never());
    const answering = new AbortController();
    const long = running.ask({ ...QUESTION, maxTokens: 3000 }, answering.signal);
    const pid = await waitForPid(running);
    answering.abort();
    await assert.rejects(long, { code: 'cancelled' });
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });

  it('says that its process was killed, and runs again', async () => {
    const running = openTiny();
    const answer = running.ask(QUESTION, never());
    process.kill(await waitForPid(running), 'SIGKILL');
    await assert.rejects(answer, { code: 'device', message: /could not be run.*SIGKILL/ });
    assert.ok((await running.ask(QUESTION, never())).text.length > 0);
  });

  it('leaves the memory when it is idle', async () => {
    const running = openTiny({ idleMs: 1 });
    await running.ask(QUESTION, never());
    while (running.pid !== null) await sleep(5);
    assert.ok((await running.ask(QUESTION, never())).text.length > 0);
  });

  it('answers one question after another', async () => {
    const running = openTiny();
    const answers = await Promise.all([1, 2, 3].map(() => running.ask(QUESTION, never())));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  });

  it('refuses a request that is longer than what it reads', async () => {
    const running = openTiny();
    const prompt = 'x = 1\n'.repeat(2_000);
    const error = { code: 'bad-input', message: /has 12,\d\d\d tokens, and the model reads 4,096/ };
    await assert.rejects(running.ask({ ...QUESTION, prompt }, never()), error);
  });

  it('says that the memory is too small for it', async () => {
    const path = join(folder, 'large.gguf');
    // The least that is surely too much, because the library's own estimate takes as long as the context is large.
    const context = Math.ceil((1.2 * totalmem()) / TINY_TOKEN_BYTES);
    writeTinyModel(path, { context });
    const error = { code: 'device', message: /not enough memory to run the model/ };
    await assert.rejects(open(path, { context }).ask(QUESTION, never()), error);
  });

  it('answers itself, even if its name once belonged to another', async () => {
    const answers = new StoredAnswers(join(folder, 'answers.jsonl'));
    const add = (seed: number) => {
      const source = join(folder, 'same.gguf');
      writeTinyModel(source, { seed });
      return addLanguageModel({ ...COMMON, dataDir: folder, source, signal: never() });
    };
    const ask = async () => (await check('same', {}, never(), answers)).used.requests > 0;
    await add(1);
    assert.deepEqual([await ask(), await ask()], [true, false]);
    removeLanguageModel(folder, 'same');
    await add(2);
    assert.deepEqual([await ask(), await ask()], [true, false]);
  });

  it('that is missing or was changed is reported', async () => {
    await assert.rejects(check('huge'), { code: 'bad-model', message: /no language model “huge”/ });
    const source = join(folder, 'cut.gguf');
    writeTinyModel(source);
    const { file } = await addLanguageModel({
      ...COMMON,
      dataDir: folder,
      source,
      signal: never(),
    });
    truncateSync(file, 1000);
    await assert.rejects(check('cut'), { code: 'bad-model', message: /was changed or removed/ });
  });

  const hostile: Record<string, [change: (bytes: Buffer) => Buffer, message: RegExp]> = {
    'a file that was cut in its weights': [
      (bytes) => bytes.subarray(0, 200_000),
      /The model cannot be run/,
    ],
    'a file that was cut in its header': [
      (bytes) => bytes.subarray(0, 3_000),
      /The model cannot be run/,
    ],
    'a header with 2^62 tensors': [(bytes) => count(bytes, 8, 2n ** 62n), /model cannot be run/],
    'a header with 2^62 values': [(bytes) => count(bytes, 16, 2n ** 62n), /model cannot be run/],
    'a name of a terabyte': [(bytes) => count(bytes, 24, 2n ** 40n), /memory/],
    'a vocabulary of 2^60 tokens': [
      (bytes) => count(bytes, bytes.indexOf('tokenizer.ggml.tokens') + 29, 2n ** 60n),
      /memory/,
    ],
    'weights that are no numbers': [
      (bytes) => Buffer.concat([bytes.subarray(0, 200_000), Buffer.alloc(400_000, 0xff)]),
      /could not be run|cannot be run/,
    ],
    'an empty file': [() => Buffer.alloc(0), /cannot be run/],
  };
  for (const [what, [change, message]] of Object.entries(hostile))
    it(`ends its own process alone with ${what}`, async () => {
      const path = join(folder, 'hostile.gguf');
      writeFileSync(path, change(createTinyModel()));
      const question = { ...QUESTION, schema: buildAnswerSchema(5) };
      const running = open(path);
      await assert.rejects(running.ask(question, never()), { message });
      assert.equal(running.pid, null);
    });

  it('ends with the process that asked it, even if that is killed', async () => {
    const { library, useGpu } = findRuntime(folder) ?? {};
    const { file } = findLanguageModel(folder, 'tiny');
    const options = { library, file, context: 4096, useGpu };
    const script = fileURLToPath(new URL('../support/ask-and-stay.ts', import.meta.url));
    const parent = fork(script, [JSON.stringify(options)], { stdio: 'pipe' });
    const [pid] = await once(parent, 'message');
    process.kill(pid as number, 0);
    parent.kill('SIGKILL');
    await waitUntilEnded(pid as number);
  });

  it('gets no variables of this process but those of drivers', async (t) => {
    if (process.platform !== 'linux') return t.skip('reads /proc');
    process.env.NODE_LLAMA_CPP_GPU = 'cuda';
    try {
      const running = openTiny();
      const answer = running.ask(QUESTION, never());
      const pid = await waitForPid(running);
      assert.doesNotMatch(readFileSync(`/proc/${pid}/environ`, 'latin1'), /NODE_LLAMA_CPP/);
      await answer;
    } finally {
      delete process.env.NODE_LLAMA_CPP_GPU;
    }
  });
});

async function waitForPid(running: GgufProcess): Promise<number> {
  for (;;) {
    if (running.pid !== null) return running.pid;
    await sleep(1);
  }
}

function count(bytes: Buffer, offset: number, value: bigint): Buffer {
  bytes.writeBigUInt64LE(value, offset);
  return bytes;
}
