/** Manifests in an index: edited, watched, after a restart, at a commit, damaged. */
import assert from 'node:assert/strict';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { assertSameIndex } from '../support/dump.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';

await keepThreads();

const aliasTo = (folder: string) =>
  JSON.stringify({ compilerOptions: { paths: { '@/*': [`${folder}/*`] } } });

let root: string;
let dataDir: string;
beforeEach(() => {
  root = gitRepository({
    'tsconfig.json': aliasTo('one'),
    'one/lib.ts': 'export function first() {}\n',
    'two/lib.ts': 'export function first() {}\n',
    'use.ts': "import { first } from '@/lib';\nexport function f() {\n  first();\n}\n",
  });
  dataDir = temporaryFolder();
  installSecondModel(dataDir);
});
afterEach(() => {
  removeFolder(root);
  removeFolder(dataDir);
});

async function opened<T>(
  work: (repository: Repository) => Promise<T>,
  options: { data?: string; revision?: string } = {},
): Promise<T> {
  const { data = dataDir, revision } = options;
  const repository = await openRepository(root, { dataDir: data, device: 'cpu', revision });
  try {
    return await work(repository);
  } finally {
    await repository.close();
  }
}

/** Returns the addresses of the callees of `f`. */
async function callees(repository: Repository): Promise<string[]> {
  const request = { chunk: 'use.ts::f', depth: 1, direction: 'callees' as const, limit: 100 };
  return (await repository.neighbors(request)).edges.map((edge) => edge.callee);
}

async function assertLikeFresh(): Promise<void> {
  const fresh = temporaryFolder();
  await opened((repository) => repository.index(), { data: fresh });
  assertSameIndex(dataDir, fresh);
  removeFolder(fresh);
}

test('a manifest applies after a restart, and edits to it from the next run on', async () => {
  await opened(async (repository) => {
    await repository.index();
    assert.deepEqual(await callees(repository), ['one/lib.ts::first']);
  });
  await opened(async (repository) => {
    assert.deepEqual(await callees(repository), ['one/lib.ts::first']);
    assert.equal((await repository.index()).filesParsed, 0);
    writeFileSync(join(root, 'tsconfig.json'), aliasTo('two'));
    await repository.index();
    assert.deepEqual(await callees(repository), ['two/lib.ts::first']);
  });
  writeFileSync(join(root, 'tsconfig.json'), aliasTo('one'));
  await opened(async (repository) => {
    await repository.index();
    assert.deepEqual(await callees(repository), ['one/lib.ts::first']);
  });
  await assertLikeFresh();
});

test('edits, removal and restoration of a manifest are followed', async () => {
  await opened(async (repository) => {
    await repository.index();
    const abort = new AbortController();
    const errors: Error[] = [];
    const watching = repository.watch({
      signal: abort.signal,
      onHealth: ({ failure, warning }) => {
        for (const error of [failure, warning]) if (error) errors.push(error);
      },
    });
    const eventually = async (edit: () => void, expected: string[]) => {
      edit();
      for (let tries = 0; tries < 200; tries++) {
        if ((await callees(repository)).join() === expected.join()) return;
        await sleep(50);
        // Changes before the watcher has started are not reported.
        if (tries % 20 === 19) edit();
      }
      assert.deepEqual(await callees(repository), expected, errors.join());
    };
    const config = join(root, 'tsconfig.json');
    await eventually(() => writeFileSync(config, aliasTo('two')), ['two/lib.ts::first']);
    // Two paths now have the same end, so the name is ambiguous.
    await eventually(() => rmSync(config, { force: true }), []);
    await eventually(() => writeFileSync(config, aliasTo('one')), ['one/lib.ts::first']);
    abort.abort();
    await watching;
  });
  await assertLikeFresh();
});

test('a commit uses its own manifests', async () => {
  writeFileSync(join(root, 'tsconfig.json'), aliasTo('two'));
  git(root, 'commit', '-qam', 'Second');
  for (const [revision, callee] of [
    ['HEAD', 'two/lib.ts::first'],
    ['HEAD~1', 'one/lib.ts::first'],
  ] as const)
    await opened(
      async (repository) => {
        await repository.index();
        assert.deepEqual(await callees(repository), [callee]);
      },
      { revision },
    );
});

test('a damaged manifest causes a note, not an error, until it is repaired', async () => {
  await opened(async (repository) => {
    assert.deepEqual((await repository.index()).notes, []);
    appendFileSync(join(root, 'tsconfig.json'), '}');
    const { notes } = await repository.index();
    assert.equal(notes.length, 1);
    assert.match(notes[0], /^`tsconfig\.json` is invalid \(`.+`\)\. Modules are guessed/);
    assert.deepEqual((await repository.status()).notes, notes);
    assert.deepEqual(await callees(repository), []);
  });
  await opened(async (repository) => {
    assert.equal((await repository.index()).notes.length, 1, 'after a restart');
    writeFileSync(join(root, 'tsconfig.json'), aliasTo('two'));
    assert.deepEqual((await repository.index()).notes, []);
    assert.deepEqual(await callees(repository), ['two/lib.ts::first']);
  });
  await assertLikeFresh();
});

test('a manifest is not counted, and searches find only its sections', async () => {
  await opened(async (repository) => {
    const { files } = await repository.index();
    const status = await repository.status();
    assert.deepEqual([files, status.files], [3, 3]);
    assert.deepEqual(
      status.languages.map(({ name, files }) => [name, files]),
      [['typescript', 3]],
    );
    assert.deepEqual(status.unread, []);
    const { results } = await repository.search({ issue: 'tsconfig.json: compilerOptions paths' });
    for (const { path, kind } of results)
      assert.equal(kind === 'section', path === 'tsconfig.json', path);
  });
});
