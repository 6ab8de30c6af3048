import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectModelNotices } from '../../scripts/model-notices.ts';
import {
  checkNoticed,
  collectBundledNotices,
  collectNotices,
  renderNotices,
} from '../../scripts/notices.ts';
import { copyParts, partsFor } from '../../scripts/npm/parts.ts';
import { thisMachine } from '../../scripts/npm/platforms.ts';
import { GRAMMAR_COLLECTIONS } from '../../src/engine/languages/collected-grammars.ts';
import { getLanguages } from '../../src/engine/languages/index.ts';
import { listInstalledGrammars } from '../../src/engine/parse/grammar-file.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const root = join(import.meta.dirname, '../..');
const notices = collectNotices(root);
const noted = new Set(notices.map(({ name, version }) => `${name} ${version}`));

interface Locked {
  /** Real name of a package that is installed under another name. */
  name?: string;
  version: string;
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
}
const lock: Record<string, Locked> = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
).packages;
const readName = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 13);

test('every production package has a notice', () => {
  const production = Object.entries(lock).filter(
    ([place, { dev }]) => place !== '' && !dev && existsSync(join(root, place)),
  );
  assert.ok(production.length > 20);
  for (const [place, { name = readName(place), version }] of production) {
    assert.ok(noted.has(`${name} ${version}`), place);
  }
});

test('every package of the pages and its dependencies have a notice', () => {
  const sources = globSync('src/renderer/**/*.{ts,tsx,css}', { cwd: root });
  const imported = sources.flatMap((path) =>
    Array.from(
      readFileSync(join(root, path), 'utf8').matchAll(
        /(?: from|^@?import) ['"]([^.'"][^'"]*)['"]/gm,
      ),
      ([, name]) => name,
    ),
  );
  const open = new Set(
    imported.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')),
  );
  for (const name of open) {
    const locked = lock[`node_modules/${name}`];
    for (const dependency of Object.keys(locked?.dependencies ?? {})) open.add(dependency);
    assert.ok(locked, `${name} is installed`);
    assert.ok(noted.has(`${name} ${locked.version}`), name);
  }
  for (const name of ['react', 'monaco-editor', 'dompurify', '@fontsource-variable/inter']) {
    assert.ok(open.has(name), name);
  }
});

test('every notice has the text of its license', () => {
  const terms =
    /permission|blessing|permitted|redistribution|licensed under|terms and conditions|software/i;
  for (const { name, license, text } of notices) {
    assert.match(
      license,
      /^\(?(?:MIT|ISC|0BSD|Unlicense|BSD|Apache|BlueOak|OFL|MPL|BSL|CC-BY|CC0|Unicode|Python|blessing)/,
      name,
    );
    assert.ok(text.length > 250 && terms.test(text), `${name}: ${text.slice(0, 200)}`);
    assert.match(text, /copyright|©|license|licence/i, name);
  }
  const all = renderNotices(notices);
  for (const words of ['SIL OPEN FONT LICENSE', 'protocolbuffers/protobuf', 'Apache License']) {
    assert.ok(all.includes(words), words);
  }
});

test('each grammar of a collection has a notice with its version and copyright', () => {
  const located = listInstalledGrammars(getLanguages());
  for (const [collection, versions] of Object.entries(GRAMMAR_COLLECTIONS)) {
    const { version } = notices.find(({ name }) => name === collection) ?? {};
    const collected = located.filter((grammar) => grammar.package === collection);
    const names = new Set(collected.map(({ name }) => name));
    assert.deepEqual([...names].sort(), Object.keys(versions).sort());
    for (const name of names) {
      const notice = notices.find((one) => one.name === name);
      assert.equal(notice?.version, `${versions[name]} in ${collection} ${version}`, name);
      assert.match(notice?.text ?? '', /Copyright \(c\) 20\d\d|Apache License|CC0/, name);
    }
  }
});

test('the components of fonts and native files have notices', () => {
  const components = ['Codicons', 'NumKong', 'SLEEF', 'SQLite', 'ICU', 'musl', 'Emscripten'];
  for (const name of components)
    assert.ok(
      notices.some((notice) => notice.name === name),
      name,
    );
});

test('a model that keeps the license of its origin has a notice', () => {
  const models = collectModelNotices(root);
  assert.deepEqual(
    models.map(({ name, license }) => [name, license]),
    [['coret-1', 'Apache-2.0']],
  );
  assert.match(models[0]?.text ?? '', /all-MiniLM-L6-v2.*Apache License/s);
});

test('a bundle has a notice for each package in it, however many of its modules', () => {
  const module = (path: string) => join(root, 'node_modules', path);
  const paths = [module('zod/index.js'), module('zod/v4/core.js'), join(root, 'src/base/log.ts')];
  const names = collectBundledNotices(root, paths).map(({ name }) => name);
  assert.deepEqual(names, ['zod']);
  const scoped = collectBundledNotices(root, [module('@huggingface/tokenizers/dist/a.js')]);
  assert.deepEqual(
    scoped.map(({ name }) => name),
    ['@huggingface/tokenizers'],
  );
});

test('a package whose native files have no listed components is refused', () => {
  const project = temporaryFolder();
  try {
    const license = 'Permission is granted to use this software.';
    const manifest = { name: 'odd', version: '1.0.0', license: 'MIT' };
    writeFiles(project, {
      'package.json': JSON.stringify({ dependencies: { odd: '*' } }),
      'node_modules/odd/package.json': JSON.stringify(manifest),
      'node_modules/odd/LICENSE': license,
    });
    assert.deepEqual(collectNotices(project), [{ ...manifest, text: license }]);
    writeFiles(project, { 'node_modules/odd/build/odd.node': 'code' });
    assert.throws(() => collectNotices(project), /odd ships build\/odd\.node/);
  } finally {
    removeFolder(project);
  }
});

test('every packaged font and native file belongs to a package with a notice', () => {
  const folder = temporaryFolder();
  try {
    const grammars = listInstalledGrammars(getLanguages());
    copyParts(root, folder, partsFor(thisMachine(), grammars));
    const font = globSync('node_modules/monaco-editor/**/codicon.ttf', { cwd: root })[0] ?? '';
    mkdirSync(join(folder, 'out/renderer/assets'), { recursive: true });
    copyFileSync(join(root, font), join(folder, 'out/renderer/assets/codicon-CKXKi0Lj.ttf'));
    checkNoticed(root, folder);
    const packaged = globSync('**/*.{node,wasm,ttf}', { cwd: folder });
    assert.ok(packaged.length > 10, packaged.join());
    for (const name of ['odd.ttf', 'libodd.so.1']) {
      writeFileSync(join(folder, name), name);
      assert.throws(() => checkNoticed(root, folder), /is of no package that has a notice/, name);
      removeFolder(join(folder, name));
    }
  } finally {
    removeFolder(folder);
  }
});
