import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import {
  joinRepositories,
  type WorkspaceRepository,
} from '../../src/services/workspace/join-repositories.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const PARSE = 'def parse_cookie(header):\n    return header.split(";")\n';
const ISSUE = 'parse_cookie fails on an empty header';

let dataDir: string;
let roots: string[];
const repositories: Repository[] = [];
let several: WorkspaceRepository;

before(async () => {
  dataDir = temporaryFolder();
  const named = (...names: string[]) =>
    Object.fromEntries(
      names.flatMap((name) => [
        [`${name}/pyproject.toml`, `[project]\nname = "acme-${name}"\n`],
        [`${name}/cookies.py`, PARSE],
      ]),
    );
  roots = [
    gitRepository(named('api', 'shared')),
    gitRepository(named('web', 'shared')),
    gitRepository({ 'cookies.py': PARSE }),
  ];
  for (const root of roots) {
    const repository = await openRepository(root, { dataDir, device: 'cpu' });
    await repository.index();
    repositories.push(repository);
  }
  several = joinRepositories(
    repositories.map((repository, i) => ({
      name: ['one', 'two', 'three'][i]!,
      root: roots[i]!,
      staysOpen: true,
      use: (run) => run(repository),
    })),
  );
});
after(async () => {
  for (const repository of repositories) await repository.close();
  for (const folder of [dataDir, ...roots]) removeFolder(folder);
});

const placesOf = async (...packages: string[]) => {
  const { results } = await several.search({ issue: ISSUE, packages });
  return [...new Set(results.map(({ repository, package: own }) => `${repository} ${own}`))].sort();
};

it('packages are chosen in the repositories that have them', async () => {
  assert.deepEqual(await placesOf('acme-web'), ['two acme-web']);
  assert.deepEqual(await placesOf('acme-web', 'api'), ['one acme-api', 'two acme-web']);
  assert.deepEqual(await placesOf('acme-shared'), ['one acme-shared', 'two acme-shared']);
  const all = await placesOf();
  assert.ok(all.includes('three undefined') && all.includes('one acme-api'));
  await assert.rejects(placesOf('acme-web', 'acme-wob'), {
    code: 'bad-input',
    message: 'The package acme-wob does not exist.',
    remedy: /^Choose one of acme-web, acme-a/,
  });
});

it('packages of one name are merged in the status', async () => {
  const { packages } = await several.status();
  assert.deepEqual(packages.map(({ name }) => name).sort(), [
    'acme-api',
    'acme-shared',
    'acme-web',
  ]);
  assert.equal(packages.find(({ name }) => name === 'acme-shared')?.chunks, 4);
});
