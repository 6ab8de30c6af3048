/** Imports by `package.json`, `tsconfig.json` and similar files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchesGlob } from '../../../src/engine/languages/javascript/glob.ts';
import { manifests } from '../../../src/engine/languages/javascript/manifests.ts';
import { parseFile } from '../../../src/engine/parse/parse-file.ts';
import { assertPresent } from '../../../src/shared/assert-present.ts';
import { findEdges } from '../../graph/support.ts';
import { SEED, scaleRounds } from '../../support/effort.ts';
import { assertFollowsEdits } from '../edits.ts';

const LIBRARY = 'export function helper() {}\n';

/** Returns the target of the call of `helper`, imported by this name; empty if it is unresolved. */
async function leadsTo(
  specifier: string,
  manifests: Record<string, unknown>,
  files: readonly string[],
  importer = 'src/use.ts',
): Promise<string> {
  const sources = Object.fromEntries(files.map((path) => [path, LIBRARY]));
  const texts = Object.entries(manifests).map(([path, value]) => {
    return [path, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  const use = `import { helper } from '${specifier}';\nfunction f() {\n  helper();\n}\n`;
  const found = await findEdges({ ...sources, ...Object.fromEntries(texts), [importer]: use });
  const start = `${importer}::f > `;
  const callees = found.filter((edge) => edge.startsWith(start));
  assert.ok(callees.length <= 1, callees.join());
  return callees[0]?.slice(start.length).split('::')[0] ?? '';
}

const paths = (table: Record<string, string[]>, more: object = {}) => {
  return { compilerOptions: { paths: table, ...more } };
};

test('paths of a tsconfig: an exact name, the longest prefix, the first existing target', async () => {
  const files = ['app/a/lib.ts', 'app/b/lib.ts', 'app/lib.ts', 'other/lib.ts'];
  const config = paths({ lib: ['app/lib'], '@/*': ['app/a/*'], '@/b/*': ['none/*', './app/b/*'] });
  const to = (specifier: string) => leadsTo(specifier, { 'tsconfig.json': config }, files);
  assert.equal(await to('lib'), 'app/lib.ts');
  assert.equal(await to('@/lib'), 'app/a/lib.ts');
  assert.equal(await to('@/b/lib'), 'app/b/lib.ts');
  assert.equal(await to('@/lib.js'), 'app/a/lib.ts');
});

test('a pattern may have text after its star, and mean a folder', async () => {
  const config = { 'tsconfig.json': paths({ '@app/*/api': ['parts/*/src'] }) };
  assert.equal(
    await leadsTo('@app/cart/api', config, ['parts/cart/src/index.ts', 'parts/other/src/index.ts']),
    'parts/cart/src/index.ts',
  );
});

test('baseUrl, alone and under paths', async () => {
  const files = ['app/deep/lib.ts', 'other/deep/lib.ts'];
  const alone = { 'tsconfig.json': { compilerOptions: { baseUrl: './app' } } };
  assert.equal(await leadsTo('deep/lib', alone, files), 'app/deep/lib.ts');
  const both = { 'tsconfig.json': paths({ '~/*': ['deep/*'] }, { baseUrl: 'other' }) };
  assert.equal(await leadsTo('~/lib', both, files), 'other/deep/lib.ts');
});

test('extends: paths are relative to their own file; later bases and the file itself take precedence', async () => {
  const files = ['base/lib.ts', 'own/lib.ts', 'base/two.ts'];
  const manifests = {
    'base/tsconfig.base.json': paths({ '@/*': ['./*'] }),
    'tsconfig.json': { extends: './base/tsconfig.base' },
  };
  assert.equal(await leadsTo('@/lib', manifests, files), 'base/lib.ts');
  const several = {
    ...manifests,
    'own/tsconfig.own.json': paths({ '@/*': ['./*'] }),
    'tsconfig.json': { extends: ['./base/tsconfig.base.json', './own/tsconfig.own.json'] },
  };
  assert.equal(await leadsTo('@/lib', several, files), 'own/lib.ts');
  const own = {
    ...several,
    'tsconfig.json': { ...several['tsconfig.json'], ...paths({ '@/*': ['base/*'] }) },
  };
  assert.equal(await leadsTo('@/lib', own, files), 'base/lib.ts');
});

test("extends of a package of the repository, and a base's variable for the extending folder", async () => {
  const manifests = {
    'package.json': { workspaces: ['tools/*', 'apps/*'] },
    'tools/config/package.json': { name: '@repo/config' },
    'tools/config/tsconfig.base.json': paths({ '@/*': ['\u0024{configDir}/code/*'] }),
    'apps/web/tsconfig.json': { extends: '@repo/config/tsconfig.base.json' },
  };
  const files = ['apps/web/code/lib.ts', 'tools/config/code/lib.ts'];
  assert.equal(await leadsTo('@/lib', manifests, files, 'apps/web/use.ts'), 'apps/web/code/lib.ts');
});

test('circular and missing extends', async () => {
  const manifests = {
    'tsconfig.json': { extends: ['./tsconfig.a.json', './tsconfig.none.json'] },
    'tsconfig.a.json': { extends: './tsconfig.b.json', ...paths({ '@/*': ['app/*'] }) },
    'tsconfig.b.json': { extends: ['./tsconfig.a.json', './tsconfig.b.json'] },
  };
  assert.equal(await leadsTo('@/lib', manifests, ['app/lib.ts', 'x/lib.ts']), 'app/lib.ts');
});

test('the nearest of several configurations applies, with those that it references', async () => {
  const files = ['one/lib.ts', 'two/lib.ts', 'three/lib.ts'];
  const manifests = {
    'tsconfig.json': paths({ '@/*': ['one/*'] }),
    'packages/a/tsconfig.json': paths({ '@/*': ['../../two/*'] }),
    'packages/b/jsconfig.json': { files: [], references: [{ path: './tsconfig.app.json' }] },
    'packages/b/tsconfig.app.json': paths({ '@/*': ['../../three/*'] }),
  };
  assert.equal(await leadsTo('@/lib', manifests, files, 'src/use.ts'), 'one/lib.ts');
  assert.equal(await leadsTo('@/lib', manifests, files, 'packages/a/x/use.ts'), 'two/lib.ts');
  assert.equal(await leadsTo('@/lib', manifests, files, 'packages/b/x/use.ts'), 'three/lib.ts');
});

test('comments, trailing commas and empty files are valid', async () => {
  const text = `\uFEFF// of the app
{ /* "paths": {} */ "compilerOptions": { "paths": { "@/*": ["app/*",], }, }, }`.slice(1);
  const files = ['app/lib.ts', 'x/lib.ts'];
  assert.equal(await leadsTo('@/lib', { 'tsconfig.json': text }, files), 'app/lib.ts');
  for (const empty of ['', ' \n// nothing\n']) {
    const { errors } = await parseFile('tsconfig.json', empty);
    assert.equal(errors, 0);
  }
});

test('comments and trailing commas change nothing, whatever strings contain', async () => {
  const parts = fc.constantFrom(
    '//',
    '/*',
    '*/',
    ',]',
    ', }',
    '"',
    '\\',
    '@/',
    '*',
    'a',
    ' ',
    '\n',
  );
  const text = fc.string({ unit: parts, maxLength: 6 });
  /** Returns a JSON string without any character that looks like syntax. */
  const encode = (text: string) =>
    `"${Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  const { read } = assertPresent(manifests, 'manifests of JavaScript');
  const noise = fc.constantFrom('', ' ', '// "a\n', '/* "b", ] */', '//*\n', '/***/', '/* // */\n');
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(text, fc.array(text, { maxLength: 3 }), { maxKeys: 4, noNullPrototype: true }),
      fc.array(noise, { minLength: 8, maxLength: 8 }),
      fc.boolean(),
      async (table, noises, trailing) => {
        let drawn = 0;
        const blank = () => noises[drawn++ % noises.length] ?? '';
        const list = (items: string[]) =>
          items.map((item) => `${blank()}${item}${blank()}`).join(',') +
          (trailing && items.length > 0 ? `,${blank()}` : '');
        const fields = Object.entries(table).map(
          ([key, to]) =>
            `${JSON.stringify(key)}${blank()}:[${list(to.map((one) => JSON.stringify(one)))}]`,
        );
        const decorated = `${blank()}{"compilerOptions":{"paths":{${list(fields)}}}}${blank()}`;
        const plain = Object.entries(table).map(
          ([key, to]) => `${encode(key)}:[${to.map(encode).join(',')}]`,
        );
        assert.deepEqual(
          await read('tsconfig.json', decorated),
          await read('tsconfig.json', `{"compilerOptions":{"paths":{${plain}}}}`),
        );
      },
    ),
    { seed: SEED, numRuns: scaleRounds(200) },
  );
});

test('an unreadable manifest has a reason, and imports resolve by paths', async () => {
  for (const [path, text] of [
    ['tsconfig.json', '{ "compilerOptions": '],
    ['package.json', '{ // no comments here\n }'],
    ['package.json', ''],
    ['pnpm-workspace.yaml', 'packages: [a, *b]'],
  ] as const) {
    const { chunks, facts, errors } = await parseFile(path, text);
    assert.ok(
      chunks.every(({ kind }) => kind === 'section'),
      path,
    );
    assert.deepEqual([facts.manifest?.entries, errors], [[], 1], path);
    assert.ok(facts.manifest?.problem, path);
    assert.equal(await leadsTo('@/lib', { [path]: text }, ['app/lib.ts']), 'app/lib.ts');
  }
});

test('fields of a wrong type are ignored', async () => {
  for (const value of [null, 1, 'x', [], {}, [null, {}, [1]], { a: 1, './b': [{}] }])
    for (const text of [
      value,
      Object.fromEntries(
        ['name', 'exports', 'imports', 'workspaces', 'main', 'dependencies'].map((key) => [
          key,
          value,
        ]),
      ),
      { extends: value, references: value, compilerOptions: value },
      { compilerOptions: { paths: value, baseUrl: value, outDir: value } },
      { references: [value], compilerOptions: { paths: { x: value, '*': value } } },
    ])
      for (const path of ['package.json', 'tsconfig.json', 'pnpm-workspace.yaml']) {
        const { facts } = await parseFile(path, JSON.stringify(text));
        assert.equal(facts.manifest?.problem, null);
        assert.equal(await leadsTo('./lib', { [path]: text }, ['src/lib.ts']), 'src/lib.ts');
      }
});

test('too large manifests are cut off, with a reason', async () => {
  const table = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`@${i}/*`, ['x/*']]));
  const { facts } = await parseFile('tsconfig.json', JSON.stringify(paths(table)));
  assert.equal(facts.manifest?.entries.length, 2_000);
  assert.match(facts.manifest?.problem ?? '', /1000 of its entries/);
  let conditions: object = { default: './src/lib.ts' };
  for (let depth = 0; depth < 1000; depth++) conditions = { node: conditions };
  const deep = await parseFile('package.json', JSON.stringify({ exports: conditions }));
  assert.deepEqual(deep.facts.manifest?.entries, [{ kind: 'exports', name: '.', to: [] }]);
  const long = await parseFile('pnpm-workspace.yaml', '['.repeat(1_000_000));
  assert.match(long.facts.manifest?.problem ?? '', /longer than any/);
  const braces = { workspaces: ['{a,b}'.repeat(40)] };
  const many = await parseFile('package.json', JSON.stringify(braces));
  assert.ok((many.facts.manifest?.entries[0]?.to.length ?? 0) <= 64);
});

const WORKSPACE = {
  'package.json': { private: true, workspaces: ['packages/*', '!packages/off'] },
  'packages/app/package.json': { name: '@shop/app', dependencies: { react: '19', off: '1' } },
};

test('packages of a workspace are found by their names, with any folder names', async () => {
  for (const [fields, files, target] of [
    [{}, ['index.ts'], 'index.ts'],
    [{}, ['src/index.ts', 'index.js'], 'src/index.ts'],
    [{ main: 'lib/start.js' }, ['lib/start.js', 'index.js'], 'lib/start.js'],
    [{ main: './dist/start.js' }, ['src/start.ts', 'src/index.ts'], 'src/start.ts'],
    [{ module: 'dist/esm/start.mjs' }, ['src/start.mts'], 'src/start.mts'],
    [{ types: './types.d.ts' }, ['types.d.ts'], 'types.d.ts'],
    [{ types: './types.d.ts', main: 'dist/a.js' }, ['types.d.ts', 'src/a.ts'], 'src/a.ts'],
    [{ exports: { require: './dist/a.cjs', default: './b.js' } }, ['dist/a.cjs', 'b.js'], 'b.js'],
    [{ main: 'dist/a.js' }, ['dist/a.js'], 'dist/a.js'],
    [{ source: 'code/a.ts', main: 'dist/b.js' }, ['code/a.ts', 'src/b.ts'], 'code/a.ts'],
    [{ exports: './code/a.js' }, ['code/a.ts', 'src/index.ts'], 'code/a.ts'],
    [{ exports: { '.': { types: './t.d.ts', import: './a.js' } } }, ['t.d.ts', 'a.js'], 'a.js'],
    [
      { exports: { node: { import: './dist/a.mjs' }, default: './b.js' } },
      ['src/a.ts'],
      'src/a.ts',
    ],
    [{ exports: [{ import: './none.js' }, './b.js'] }, ['b.ts'], 'b.ts'],
    [{ exports: { browser: './b.js', default: './a.js' } }, ['a.js', 'b.js'], 'a.js'],
  ] as const) {
    const manifests = {
      ...WORKSPACE,
      'packages/core-lib/package.json': { name: '@shop/core', ...fields },
    };
    const paths = files.map((file) => `packages/core-lib/${file}`);
    const found = await leadsTo('@shop/core', manifests, paths, 'packages/app/use.ts');
    assert.equal(found, `packages/core-lib/${target}`, JSON.stringify(fields));
  }
});

test('subpaths: exports, patterns, unexported files, and files of a package without exports', async () => {
  const exports = {
    '.': './src/index.ts',
    './one': './src/parts/first.ts',
    './parts/*': './dist/parts/*.js',
    './parts/hidden/*': null,
    './old/': './src/old/',
  };
  const files = ['index', 'parts/first', 'parts/two', 'parts/hidden/x', 'old/three', 'four'];
  const at = (specifier: string, fields: object) =>
    leadsTo(
      specifier,
      { ...WORKSPACE, 'packages/core-lib/package.json': { name: 'core', ...fields } },
      files.map((file) => `packages/core-lib/src/${file}.ts`),
      'packages/app/use.ts',
    );
  const src = 'packages/core-lib/src';
  assert.equal(await at('core/one', { exports }), `${src}/parts/first.ts`);
  assert.equal(await at('core/parts/two', { exports }), `${src}/parts/two.ts`);
  assert.equal(await at('core/old/three', { exports }), `${src}/old/three.ts`);
  assert.equal(await at('core/src/four', { exports }), `${src}/four.ts`);
  assert.equal(await at('core/src/four.js', {}), `${src}/four.ts`);
  assert.equal(await at('core/four', {}), `${src}/four.ts`);
});

test('a built file resolves to its source by the configuration of its package', async () => {
  const manifests = {
    ...WORKSPACE,
    'packages/core-lib/package.json': { name: 'core', main: 'made/node/start.js' },
    'packages/core-lib/tsconfig.build.json': {
      extends: '../../tsconfig.base.json',
      compilerOptions: { outDir: 'made/node' },
    },
    'tsconfig.base.json': { compilerOptions: { rootDir: '\u0024{configDir}/code' } },
  };
  const files = ['code', 'src', 'made/node'].map(
    (folder) => `packages/core-lib/${folder}/start.ts`,
  );
  assert.equal(
    await leadsTo('core', manifests, files, 'packages/app/use.ts'),
    'packages/core-lib/code/start.ts',
  );
  assert.equal(
    await leadsTo(
      '../made/node/start.js',
      manifests,
      files.slice(0, 2),
      'packages/core-lib/test/use.ts',
    ),
    'packages/core-lib/code/start.ts',
  );
});

test('a file outside build output is not looked for elsewhere', async () => {
  const manifests = { ...WORKSPACE, 'packages/core-lib/package.json': { name: 'core' } };
  const files = ['packages/core-lib/src/helpers.ts'];
  const use = 'packages/core-lib/test/use.ts';
  assert.equal(await leadsTo('./helpers.js', manifests, files, use), '');
  assert.equal(await leadsTo('../dist/helpers.js', manifests, files, use), files[0]);
});

test('an external dependency is not in the repository, even if a folder has its name', async () => {
  const manifests = {
    ...WORKSPACE,
    'packages/react/package.json': { name: '@shop/react' },
    'packages/off/package.json': { name: 'off' },
  };
  const files = ['packages/react/src/index.ts', 'packages/off/index.ts'];
  const to = (name: string) => leadsTo(name, manifests, files, 'packages/app/use.ts');
  assert.equal(await to('react'), '');
  assert.equal(await to('@shop/react'), files[0]);
  assert.equal(await to('off'), '', 'a folder that the workspace leaves out');
  // No manifest tells, so it is a folder of that name.
  assert.equal(await to('@other/react'), files[0]);
});

test('dependencies by path, and by another name', async () => {
  const manifests = {
    'package.json': { workspaces: { packages: ['packages/*'] } },
    'packages/core/package.json': { name: 'core' },
    'vendor/it/package.json': { name: 'it' },
    'packages/app/package.json': {
      dependencies: {
        mine: 'file:../../vendor/it',
        heart: 'workspace:core@*',
        core: 'workspace:^',
      },
    },
  };
  const files = ['packages/core/index.ts', 'vendor/it/index.ts'];
  const to = (name: string) => leadsTo(name, manifests, files, 'packages/app/use.ts');
  assert.equal(await to('mine'), 'vendor/it/index.ts');
  assert.equal(await to('heart'), 'packages/core/index.ts');
  assert.equal(await to('core'), 'packages/core/index.ts');
});

test('of packages with one name, the one in the workspace, and in the surrounding folder', async () => {
  const manifests = {
    'package.json': { name: 'core' },
    'pnpm-workspace.yaml': 'packages:\n  - "libs/**"\n  - \'!**/test/**\'\n',
    'libs/deep/core/package.json': { name: 'core' },
    'libs/deep/core/test/fixture/package.json': { name: 'core' },
    'elsewhere/core/package.json': { name: 'core' },
  };
  const files = [
    'index',
    'libs/deep/core/index',
    'libs/deep/core/test/fixture/index',
    'elsewhere/core/index',
  ];
  const to = (importer: string) =>
    leadsTo(
      'core',
      manifests,
      files.map((file) => `${file}.ts`),
      importer,
    );
  assert.equal(await to('tools/use.ts'), 'libs/deep/core/index.ts');
  assert.equal(await to('elsewhere/core/use.ts'), 'elsewhere/core/index.ts');
  assert.equal(await to('libs/deep/core/test/use.ts'), 'libs/deep/core/index.ts');
});

test('imports of a package, by condition and by pattern', async () => {
  const manifests = {
    'package.json': {
      imports: {
        '#env': {
          types: './env.d.ts',
          browser: './src/env-browser.ts',
          default: './src/env-node.ts',
        },
        '#parts/*': './src/parts/*.ts',
        '#core': 'core',
      },
      workspaces: ['core'],
    },
    'core/package.json': { name: 'core' },
  };
  const files = [
    'env.d.ts',
    'src/env-browser.ts',
    'src/env-node.ts',
    'src/parts/a.ts',
    'core/index.ts',
  ];
  assert.equal(await leadsTo('#env', manifests, files), 'src/env-node.ts');
  assert.equal(await leadsTo('#parts/a', manifests, files), 'src/parts/a.ts');
  assert.equal(await leadsTo('#core', manifests, files), 'core/index.ts');
});

test('patterns of folders', () => {
  for (const [pattern, path, fits] of [
    ['packages/*', 'packages/a', true],
    ['./packages/*/', 'packages/a', true],
    ['packages/*', 'packages/a/b', false],
    ['packages/**', 'packages/a/b', true],
    ['**/examples/*', 'examples/a', true],
    ['packages/a*c*e', 'packages/abcde', true],
    ['packages/a*b', 'packages/a', false],
    ['packages/ab*b', 'packages/ab', false],
    ['**', '', true],
  ] as const)
    assert.equal(matchesGlob(pattern, path), fits, `${pattern} ${path}`);
});

test('after edits of manifests and sources, the graph equals a new one', async () => {
  const use = (name: string) => `import { helper } from '${name}';\nfunction f() { helper(); }\n`;
  await assertFollowsEdits({
    'package.json': JSON.stringify({ workspaces: ['packages/*'], imports: { '#a': './src/a.ts' } }),
    'tsconfig.base.json': JSON.stringify(paths({ '@/*': ['./src/*'] })),
    'tsconfig.json': JSON.stringify({ extends: './tsconfig.base.json' }),
    'packages/core/package.json': JSON.stringify({ name: '@x/heart', main: 'dist/main.js' }),
    'packages/core/tsconfig.json': JSON.stringify({
      compilerOptions: { outDir: 'dist', rootDir: 'code' },
    }),
    'packages/core/code/main.ts': LIBRARY,
    'packages/core/src/main.ts': LIBRARY,
    'packages/core/index.ts': LIBRARY,
    'packages/app/package.json': JSON.stringify({ name: 'app', dependencies: { core: '1' } }),
    'packages/app/tsconfig.json': JSON.stringify({ extends: '../../tsconfig.json' }),
    'packages/app/use.ts': use('@x/heart'),
    'packages/app/alias.ts': use('@/a'),
    'packages/app/outside.ts': use('core'),
    'src/a.ts': LIBRARY,
    'src/own.ts': use('#a'),
    'packages/app/src/a.ts': LIBRARY,
  });
});
