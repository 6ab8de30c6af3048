import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Packages } from '../../src/engine/packages/packages.ts';
import { resolvePackages } from '../../src/shared/packages.ts';

function createPackages(manifests: Record<string, string | null>, ...files: string[]): Packages {
  return new Packages(
    Object.entries(manifests).map(([path, name]) => ({ path, name })),
    files.map((path) => ({ path, chunks: path.endsWith('.json') ? 0 : 2 })),
  );
}

const describePackages = ({ list }: Packages) =>
  list.map(({ name, folder, chunks }) => [name, folder, chunks]);

describe('the packages of a repository', () => {
  it('are the nearest folders with a manifest above its files', () => {
    const packages = createPackages(
      {
        'package.json': 'acme',
        'packages/api/package.json': '@acme/api',
        'web/go.mod': 'acme/web',
      },
      'run.ts',
      'packages/api/src/a.ts',
      'packages/other/b.ts',
      'web/main.go',
    );
    assert.deepEqual(describePackages(packages), [
      ['acme', '', 4],
      ['@acme/api', 'packages/api', 2],
      ['acme/web', 'web', 2],
    ]);
    assert.equal(packages.getPackageName('packages/api/src/deep/new.ts'), '@acme/api');
    assert.equal(packages.getPackageName('packages/apis/a.ts'), 'acme');
  });

  it('leave out files outside all packages', () => {
    const packages = createPackages(
      { 'a/go.mod': 'a', 'b/go.mod': 'b' },
      'a/a.go',
      'b/b.go',
      'c.go',
    );
    assert.equal(packages.getPackageName('c.go'), null);
    assert.equal(packages.list.length, 2);
  });

  it('are not listed if only one has chunks', () => {
    for (const packages of [
      createPackages({ 'package.json': 'acme' }, 'a.ts'),
      createPackages({ 'package.json': 'acme', 'b/package.json': 'b' }, 'a.ts', 'b/b.json'),
      createPackages({}, 'a.ts'),
    ]) {
      assert.deepEqual(packages.list, []);
      assert.equal(packages.getPackageName('a.ts'), null);
    }
  });

  it('are named by their manifests, else by their folders, and by paths if names are equal', () => {
    const packages = createPackages(
      {
        'package.json': null,
        'libs/utils/package.json': 'utils',
        'tools/utils/package.json': 'utils',
        'libs/core/build.gradle': null,
        'pick/package.json': 'libs/utils',
      },
      'a.ts',
      'libs/utils/a.ts',
      'tools/utils/a.ts',
      'libs/core/a.java',
      'pick/a.ts',
    );
    assert.deepEqual(
      packages.list.map(({ name, folder }) => [name, folder]),
      [
        ['.', ''],
        ['core', 'libs/core'],
        ['./libs/utils', 'libs/utils'],
        ['libs/utils', 'pick'],
        ['tools/utils', 'tools/utils'],
      ],
    );
  });

  it('take the name of the first kind of manifest with a name, in any order', () => {
    const files = ['a/a.py', 'b/b.py'];
    const manifests = { 'a/package.json': 'tools', 'a/setup.py': null, 'a/pyproject.toml': 'acme' };
    const other = { 'b/Gemfile': null, 'b/package.json': 'b-tools', 'b/setup.cfg': null };
    const all = { ...manifests, ...other };
    const backwards = Object.fromEntries(Object.entries(all).reverse());
    for (const one of [all, backwards])
      assert.deepEqual(
        createPackages(one, ...files).list.map(({ name }) => name),
        ['acme', 'b-tools'],
      );
  });
});

describe('choosing packages', () => {
  const known = [
    { name: '.', folder: '' },
    { name: '@acme/api', folder: 'packages/api' },
    { name: '@acme/web', folder: 'packages/web' },
    { name: '@old/web', folder: 'old/web' },
    ...Array.from({ length: 20 }, (_, i) => ({ name: `plugin-${i}`, folder: `plugins/${i}` })),
  ];

  it('accepts a name, a folder, or a unique last part of a name', () => {
    const wanted = ['@acme/web', './packages/api/', '.', 'plugins/3'];
    assert.deepEqual(
      [...resolvePackages(wanted, known)],
      ['@acme/web', '@acme/api', '.', 'plugin-3'],
    );
    assert.deepEqual([...resolvePackages(['api'], known)], ['@acme/api']);
  });

  it('suggests known packages for an unknown one, the closest first', () => {
    assert.throws(() => resolvePackages(['@acme/apis'], known), {
      code: 'bad-input',
      message: 'The package @acme/apis does not exist.',
      remedy: /^Choose one of @acme\/api, @acme\/web, .*( and 14 more)\.$/,
    });
    assert.throws(() => resolvePackages(['web'], known), {
      remedy: /^Choose one of @(acme|old)\/web, @/,
    });
    assert.throws(() => resolvePackages(['api'], []), { remedy: /^Remove the package filter/ });
    const long = 'x'.repeat(4000);
    assert.throws(() => resolvePackages([long], [{ name: long, folder: 'a' }, ...known].slice(1)), {
      message: /^.{0,150}$/,
    });
  });
});
