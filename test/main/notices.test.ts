import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { noticesOf, renderNotices } from '../../scripts/notices.ts';

const root = join(import.meta.dirname, '../..');
const notices = noticesOf(root);
const noted = new Set(notices.map(({ name, version }) => `${name} ${version}`));

interface Locked {
  /** Where that is another's place. */
  name?: string;
  version: string;
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
}
const lock: Record<string, Locked> = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
).packages;
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 13);

test('every package that is installed for production is noted', () => {
  const production = Object.entries(lock).filter(
    ([place, { dev }]) => place !== '' && !dev && existsSync(join(root, place)),
  );
  assert.ok(production.length > 20);
  for (const [place, { name = nameOf(place), version }] of production) {
    assert.ok(noted.has(`${name} ${version}`), place);
  }
});

test('so is every package that the pages are made of, with what it depends on', () => {
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

test('every notice has the text of its licence', () => {
  const terms = /permission|permitted|redistribution|licensed under|terms and conditions|software/i;
  for (const { name, license, text } of notices) {
    assert.match(license, /^\(?(?:MIT|ISC|0BSD|BSD|Apache|BlueOak|OFL|MPL)/, name);
    assert.ok(text.length > 400 && terms.test(text), `${name}: ${text.slice(0, 200)}`);
    assert.match(text, /copyright|©|license|licence/i, name);
  }
  const all = renderNotices(root);
  for (const words of ['SIL OPEN FONT LICENSE', 'protocolbuffers/protobuf', 'Apache License']) {
    assert.ok(all.includes(words), words);
  }
});
