import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { unpackFile } from '../../src/engine/parse/packed-file.ts';
import { parseFile } from '../../src/engine/parse/parse-file.ts';
import {
  ParserPool,
  type ParserPoolOptions,
  type PooledFile,
  pickMainLanguageFiles,
  pickNextFile,
  type UnpackedPooledFile,
} from '../../src/engine/parse/pool.ts';

const pools: ParserPool[] = [];

function open(options: ParserPoolOptions = {}): ParserPool {
  const pool = new ParserPool({ size: 2, ...options });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function file(path: string, text: string) {
  return { path, hash: `hash of ${path}`, text };
}

async function all(parsed: AsyncIterable<PooledFile>): Promise<UnpackedPooledFile[]> {
  const files: UnpackedPooledFile[] = [];
  for await (const file of parsed) files.push(unpackFile(file));
  return files.sort((a, b) => a.path.localeCompare(b.path));
}

function countThreads(pool: ParserPool): number {
  return (pool as unknown as { threads: Set<unknown> }).threads.size;
}

test('pool: a small repository has one thread, a large one has all', async () => {
  const text = 'value = 1\n'.repeat(1_000);
  const list = (length: number) => Array.from({ length }, (_, i) => file(`a${i}.py`, text));
  const pool = open({ size: 3 });
  assert.equal((await all(pool.parse([list(90)]))).length, 90);
  assert.equal(countThreads(pool), 1);
  // The units of the files before do not count, since they are parsed.
  assert.equal((await all(pool.parse([list(90)]))).length, 90);
  assert.equal(countThreads(pool), 1);
  assert.equal((await all(pool.parse([list(110)]))).length, 110);
  assert.equal(countThreads(pool), 2);
  assert.equal((await all(pool.parse([list(160)]))).length, 160);
  assert.equal(countThreads(pool), 3);
});

test('pool: an urgent file gets a thread of its own, however small the repository', async () => {
  const pool = open({ size: 2 });
  const files = Array.from({ length: 4 }, (_, i) => file(`a${i}.py`, 'x = 1\n'));
  const parsed = all(pool.parse([files]));
  await setImmediate();
  await pool.parseOne(file('urgent.py', 'x = 1\n'));
  assert.equal((await parsed).length, 4);
  assert.equal(countThreads(pool), 2);
});

test('pool: a thread that was started in advance parses the first files', async () => {
  const pool = open();
  pool.startThread();
  pool.startThread();
  assert.equal(countThreads(pool), 1);
  assert.equal((await all(pool.parse([[file('a.py', 'def f(): pass\n')]])))[0]!.chunks.length, 2);
  assert.equal(countThreads(pool), 1);
});

test('pool: returns the same result for each file as direct parsing', async () => {
  const files = Array.from({ length: 50 }, (_, i) =>
    file(`src/m${i}.py`, `import a\n\nclass C${i}:\n    def f(self):\n        return a.g(${i})\n`),
  );
  const found = await all(open().parse([files]));
  assert.equal(found.length, 50);
  for (const { path, hash, failure, content, ...rest } of found) {
    const { text } = files.find((f) => f.path === path)!;
    const expected = await parseFile(path, text);
    assert.equal(content, text);
    assert.equal(hash, `hash of ${path}`);
    assert.equal(failure, null);
    assert.deepEqual(rest, expected);
  }
});

test('pool: reads a bounded number of files in advance from an async source', async () => {
  let taken = 0;
  async function* source() {
    for (let i = 0; i < 100; i++) {
      taken++;
      yield file(`f${i}.py`, `x = ${i}\n`);
    }
  }
  const pool = open();
  let done = 0;
  for await (const _ of pool.parse([source()])) {
    done++;
    assert.ok(taken - done <= 12 * pool.size, `${taken} taken, ${done} done`);
  }
  assert.equal(done, 100);
});

test('pool: a thread prefers urgent files, then files in languages it has loaded', () => {
  const waiting = (...paths: string[]) =>
    paths.map((path) => ({ file: { path }, urgent: path.startsWith('urgent') }));
  const loaded = new Set(['go', 'ruby']);
  const elsewhere = new Set(['python', 'cpp']);
  assert.equal(pickNextFile(loaded, elsewhere, waiting('a.py', 'a.php', 'a.rb', 'a.go')), 2);
  assert.equal(pickNextFile(loaded, elsewhere, waiting('a.py', 'a.php')), 1);
  assert.equal(pickNextFile(loaded, elsewhere, waiting('a.cpp', 'a.py')), 0);
  assert.equal(pickNextFile(loaded, elsewhere, waiting('urgent.py', 'a.go')), 0);
  assert.equal(pickNextFile(new Set(), new Set(), waiting('a.py', 'a.go')), 0);
});

test('pool: warms up with the main languages of the files', async () => {
  assert.deepEqual(pickMainLanguageFiles([]), []);
  assert.deepEqual(pickMainLanguageFiles(['LICENSE', 'NOTICE']), []);
  const few = Array.from({ length: 4 }, (_, i) => `few${i}.go`);
  const many = Array.from({ length: 10 }, (_, i) => [`m${i}.py`, `m${i}.ts`]).flat();
  assert.deepEqual(pickMainLanguageFiles([...few, ...many]), ['m0.py', 'm0.ts']);
  const pool = open();
  const asked: string[] = [];
  const sampleOf = (path: string) => {
    asked.push(path);
    return 'x = 1\n';
  };
  await pool.warmUp(many, sampleOf);
  await pool.warmUp(many, sampleOf);
  assert.deepEqual(asked, ['m0.py'], 'once, and of no large grammar');
  const { count } = await pool.parseOne(file('a.py', 'def f(): pass\n'));
  assert.equal(count, 2);
});

test('pool: one file alone', async () => {
  const { count, lines, errors } = await open().parseOne(file('a.py', 'def f(): pass\n'));
  assert.deepEqual([count, lines, errors], [2, 1, 0]);
});

test('pool: a consumer may leave', async () => {
  const pool = open();
  for await (const _ of pool.parse([[file('a.py', ''), file('b.py', ''), file('c.py', '')]])) break;
  assert.equal((await pool.parseOne(file('d.py', ''))).path, 'd.py');
});

test('pool: a file that takes too long becomes plain text, the others are parsed', async () => {
  // Parsing it takes seconds.
  const slow = `# slow\nx = a${'.b()'.repeat(400_000)}\n`;
  const files = [
    file('a.py', 'def f(): pass\n'),
    file('slow.py', slow),
    ...Array.from({ length: 6 }, (_, i) => file(`z${i}.py`, 'def g(): pass\n')),
  ];
  const found = await all(open({ size: 1, fileTimeout: 1000 }).parse([files]));
  assert.deepEqual(
    found.map(({ path, chunks, failure }) => [path, chunks.length, failure]),
    [
      ['a.py', 2, null],
      ['slow.py', 1, 'parsing took too long'],
      ...Array.from({ length: 6 }, (_, i) => [`z${i}.py`, 2, null]),
    ],
  );
  const plain = found[1]!;
  assert.deepEqual([plain.lines, plain.errors, plain.chunks[0]!.kind], [2, 1, 'module']);
  assert.match(plain.chunks[0]!.text, /^# slow\nx = a\.b\(\)/);
  assert.deepEqual(plain.facts, { imports: [], bindings: [], references: [] });
});

test('pool: a file that ends its thread becomes plain text, the others are parsed', async () => {
  const huge = 'f(x)\n'.repeat(200_000);
  const found = await all(
    open({ size: 1, maxHeap: 48, fileTimeout: 120_000 }).parse([
      [file('a.py', 'def f(): pass\n'), file('huge.py', huge), file('z.py', 'def g(): pass\n')],
    ]),
  );
  assert.deepEqual(
    found.map(({ path, chunks, lines, errors }) => [path, chunks.length, lines, errors]),
    [
      ['a.py', 2, 1, 0],
      ['huge.py', 1, 200_000, 1],
      ['z.py', 2, 1, 0],
    ],
  );
  assert.match(found[1]!.failure!, /memory/);
});

test('pool: a file whose thread ends without a failure is parsed by another thread', async () => {
  const pool = open({ size: 1 });
  await pool.parseOne(file('first.py', 'x = 1\n'));
  const { threads } = pool as unknown as { threads: Set<{ worker: Worker }> };
  const parsed = pool.parseOne(file('second.py', 'def f():\n    return 1\n'.repeat(5_000)));
  const [ended] = threads;
  await ended!.worker.terminate();
  const { failure, count } = await parsed;
  assert.deepEqual([failure, count], [null, 5_001]);
  assert.ok(!threads.has(ended!), 'it was another thread');
});

test('pool: tokenizes names in the same threads; a file that takes too long has none', async () => {
  const pool = open({ size: 1, fileTimeout: 700 });
  assert.deepEqual(await pool.tokenize(file('a.py', 'f(x)\n')), [0, 0, 1, 2, 0]);
  const [parsed, tokens] = await Promise.all([
    pool.parseOne(file('b.py', 'def f(): pass\n')),
    pool.tokenize(file('c.py', 'f()\n'.repeat(300_000))),
  ]);
  assert.deepEqual([parsed.count, parsed.failure, tokens], [2, null, []]);
});

test('pool: a file in an unsupported language is refused', async () => {
  await assert.rejects(open().parseOne(file('a.txt', 'x')), {
    name: 'LocusError',
    code: 'bad-input',
    message: /a\.txt/,
  });
});

test('pool: closing stops running and later files', async () => {
  const pool = open();
  const waiting = Array.from({ length: 20 }, (_, i) => pool.parseOne(file(`f${i}.py`, 'x = 1\n')));
  const settled = Promise.allSettled(waiting);
  await pool.close();
  assert.ok((await settled).every((result) => result.status === 'rejected'));
  await assert.rejects(pool.parseOne(file('a.py', '')), { code: 'cancelled' });
});

test('pool: waiting for a processor does not count as parsing time', async () => {
  const calls = `x = a${'.b()'.repeat(40_000)}\n`;
  const files = Array.from({ length: 12 }, (_, i) => file(`a${i}.py`, `# ${i}\n${calls}`));
  const pool = open({ size: 12, fileTimeout: 2000 });
  // With twelve threads at once, each file takes far more elapsed time than alone.
  const found = await Promise.all(files.map((one) => pool.parseOne(one)));
  assert.equal(countThreads(pool), 12);
  assert.deepEqual([...new Set(found.map(({ failure }) => failure))], [null]);
});

test('pool: idle threads end, and the next file starts one again', async () => {
  const pool = open({ idleMs: 1 });
  const { threads } = pool as unknown as { threads: Set<{ worker: Worker }> };
  for (const path of ['a.py', 'b.py']) {
    const { count } = await pool.parseOne(file(path, 'def f(): pass\n'));
    assert.equal(count, 2);
    for (let tries = 0; threads.size > 0 && tries < 1_000; tries++) await sleep(10);
    assert.equal(threads.size, 0, `after ${path}`);
  }
  // A file that takes longer than the threads may be idle ends none.
  const files = Array.from({ length: 5 }, (_, i) =>
    file(`${i}.py`, 'def f(): pass\n'.repeat(2_000)),
  );
  const found = await all(pool.parse([files]));
  assert.deepEqual(
    found.map(({ failure }) => failure),
    files.map(() => null),
  );
});
