/** Languages that a user adds to the data directory, among them hostile ones. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkLanguage } from '../../../src/engine/check-language.ts';
import {
  findLanguage,
  getIssueSyntax,
  getParserVersion,
  listLanguageProblems,
  loadLanguagesIn,
} from '../../../src/engine/languages/index.ts';
import { ParserPool, type PooledFile, type UnparsedFile } from '../../../src/engine/parse/pool.ts';
import type { LocusError } from '../../../src/shared/errors.ts';
import { removeFolder, temporaryFolder } from '../../support/repository.ts';

const GRAMMAR = fileURLToPath(
  new URL('../../../src/engine/languages/grammars/tree-sitter-graphql.wasm', import.meta.url),
);
const ROW = { name: 'quill', title: 'Quill', extensions: ['.quill'] };
const TAGS = '(object_type_definition (name) @name) @definition.class';
const SOURCE = 'type Cart {\n  id: ID\n}\n';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  loadLanguagesIn(null);
  removeFolder(folder);
});

interface Parts {
  row?: unknown;
  tags?: string;
  grammar?: Buffer;
}

function write(name: string, { row = ROW, tags = TAGS, grammar = readFileSync(GRAMMAR) }: Parts) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'language.json'), typeof row === 'string' ? row : JSON.stringify(row));
  writeFileSync(join(path, 'tags.scm'), tags);
  writeFileSync(join(path, 'grammar.wasm'), grammar);
  return path;
}

/** Uses the folder anew and returns its problems, without the path of the folder. */
function load(): string[] {
  loadLanguagesIn(null);
  loadLanguagesIn(folder);
  return listLanguageProblems().map((text) => text.replaceAll(folder, '…'));
}

/** Parses files, and returns the qualified names of each, or why it was not parsed. */
async function parseAll(files: Record<string, string>, fileTimeout = 10_000) {
  const pool = new ParserPool({ size: 1, fileTimeout });
  const results: Record<string, string> = {};
  const sources = Object.entries(files).map(([path, text]) => ({ path, hash: path, text }));
  const onUnread = ({ path, cause }: UnparsedFile) => {
    results[path] = cause.replaceAll(folder, '…');
  };
  try {
    for await (const file of pool.parse([sources], onUnread)) results[file.path] = describe(file);
  } finally {
    await pool.close();
  }
  return results;
}

const describe = ({ failure, errors }: PooledFile) => failure ?? `${errors} errors`;

test('a language that is added is read, and its digest is part of the version of its files', async () => {
  write('quill', {});
  assert.deepEqual(load(), []);
  assert.equal(findLanguage('a.quill')?.title, 'Quill');
  assert.deepEqual(await parseAll({ 'a.quill': SOURCE }), { 'a.quill': '0 errors' });
  const versions = new Set([getParserVersion('a.quill')]);
  for (const parts of [
    { tags: `${TAGS}\n` },
    { row: { ...ROW, tabWidth: 3 } },
    { grammar: Buffer.concat([readFileSync(GRAMMAR), Buffer.of(0, 1, 0)]) },
  ]) {
    write('quill', parts);
    load();
    versions.add(getParserVersion('a.quill'));
  }
  assert.equal(versions.size, 4);
  loadLanguagesIn(null);
  assert.equal(findLanguage('a.quill'), null);
});

test('keywords may be added', async () => {
  writeFileSync(join(write('quill', {}), 'keywords.txt'), 'when then\n');
  load();
  assert.deepEqual([...(getIssueSyntax('quill')?.words?.keywords ?? [])], ['when', 'then']);
});

const REFUSED: [what: string, parts: Parts, problem: string][] = [
  ['text that is no JSON', { row: '{' }, 'language.json is invalid: '],
  ['deep JSON', { row: '['.repeat(1000) }, 'language.json is invalid: '],
  ['a list', { row: [] }, 'language.json is invalid: it is not an object.'],
  [
    'no title',
    { row: { ...ROW, title: undefined } },
    'language.json is invalid: title is missing.',
  ],
  [
    'an unknown field',
    { row: { ...ROW, regex: '(a*)*' } },
    'language.json is invalid: it has an unknown field "regex".',
  ],
  [
    'a path as extension',
    { row: { ...ROW, extensions: ['../a'] } },
    'language.json is invalid: extensions must be a list of extensions in lower case',
  ],
  ['another name', { row: { ...ROW, name: 'other' } }, 'language.json has the name other'],
  [
    'bad syntax in tags',
    { tags: '(a @definition.class' },
    'tags.scm is invalid: The query lacks a closing bracket.',
  ],
  ['garbage as grammar', { grammar: Buffer.from('garbage') }, 'grammar.wasm is not WebAssembly.'],
];

for (const [what, parts, problem] of REFUSED)
  test(`a folder with ${what} is not used, and the problem names the file`, async () => {
    write('quill', parts);
    write('other', { row: { ...ROW, name: 'other', extensions: ['.other'] } });
    const [found = '', ...others] = load();
    assert.ok(found.startsWith(`The language in …/quill is not used: ${problem}`), found);
    assert.match(found, /Correct the file, or remove the folder\.$/);
    assert.deepEqual(others, []);
    assert.equal(findLanguage('a.quill'), null);
    assert.equal(findLanguage('a.other')?.name, 'other');
  });

test('names and extensions of other languages are refused', async () => {
  write('quill', { row: { ...ROW, extensions: ['.py'] } });
  write('python', { row: { ...ROW, name: 'python' } });
  assert.deepEqual(load(), [
    'The language in …/python/language.json is not used: python belongs to another language. Use another name or extension.',
    'The language in …/quill/language.json is not used: .py belongs to another language. Use another name or extension.',
  ]);
  assert.equal(findLanguage('a.py')?.title, 'Python');
});

test('links and huge files are refused without reading them', async () => {
  const linked = write('linked', { row: { ...ROW, name: 'linked' } });
  removeFolder(join(linked, 'tags.scm'));
  symlinkSync('/etc/passwd', join(linked, 'tags.scm'));
  const huge = write('huge', { row: { ...ROW, name: 'huge' } });
  truncateSync(join(huge, 'grammar.wasm'), 2 ** 36);
  mkdirSync(join(folder, 'empty'));
  symlinkSync(dirname(huge), join(folder, 'folder-link'));
  const problems = load();
  assert.equal(problems.length, 3);
  assert.match(problems[0] ?? '', /…\/empty is not used: language\.json is missing/);
  assert.match(problems[1] ?? '', /…\/huge is not used: .*grammar\.wasm/);
  assert.match(problems[2] ?? '', /…\/linked is not used: .*tags\.scm.*link/);
});

test('a grammar or a query that fails leaves out its own files only, and the cause names the folder', async () => {
  const bytes = readFileSync(GRAMMAR);
  bytes.fill(0xff, 200);
  write('quill', { grammar: bytes });
  write('other', {
    row: { ...ROW, name: 'other', extensions: ['.other'] },
    tags: '(nothing (name) @name) @definition.class',
  });
  assert.deepEqual(load(), []);
  const found = await parseAll({
    'a.quill': SOURCE,
    'b.quill': SOURCE,
    'a.other': SOURCE,
    'a.py': 'def f(): pass\n',
  });
  assert.match(
    found['a.quill'] ?? '',
    /^The grammar or the tags of Quill in …\/quill\/ cannot be used: /,
  );
  assert.equal(found['b.quill'], found['a.quill']);
  assert.match(found['a.other'] ?? '', /The grammar has no node type nothing/);
  assert.equal(found['a.py'], '0 errors');
});

test('a query that takes exponential time ends, and its language is plain text after three files', async () => {
  const tags = `(document ${'(definition)* '.repeat(30)} (definition (_ (_ (_ (name) @name)))) @definition.class)`;
  write('quill', { tags });
  assert.deepEqual(load(), []);
  const text = `${SOURCE.repeat(60)}scalar`;
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i}.quill`, text]));
  const found = await parseAll({ ...files, 'a.py': 'def f(): pass\n' }, 300);
  assert.equal(found['a.py'], '0 errors');
  const causes = Object.values(found).filter((cause) => cause !== '0 errors');
  assert.equal(causes.length, 8);
  assert.ok(causes.filter((cause) => cause === 'parsing took too long').length <= 4);
});

test('a check prints the definitions of the example', async () => {
  const path = write('quill', {});
  writeFileSync(join(path, 'example.quill'), SOURCE);
  assert.deepEqual(await checkLanguage(path), {
    title: 'Quill',
    example: 'example.quill',
    errors: 0,
    definitions: [{ kind: 'class', name: 'Cart', startLine: 1, endLine: 3 }],
  });
});

const SLOW = `(document ${'(definition)* '.repeat(30)} (definition (_ (_ (_ (name) @name)))) @definition.class)`;
const UNFIT: [what: string, parts: Parts & { example?: string }, message: RegExp][] = [
  ['without an example', {}, /has no example\. Write some code .* into example\.quill/],
  [
    'with unknown captures',
    { tags: TAGS.replace('class', 'odd'), example: SOURCE },
    /finds no definition in example\.quill\. Capture definitions as/,
  ],
  [
    'with unknown nodes',
    { tags: '(nothing (name) @name) @definition.class', example: SOURCE },
    /has no node type nothing\. Correct tags\.scm/,
  ],
  [
    'with a grammar that is damaged',
    { grammar: readFileSync(GRAMMAR).fill(0xff, 200), example: SOURCE },
    /The grammar or the tags of Quill .* cannot be used/,
  ],
  [
    'with a query that takes exponential time',
    { tags: SLOW, example: `${SOURCE.repeat(60)}scalar` },
    /parsing took too long\. /,
  ],
  [
    'with a bad row',
    { row: '[]', example: SOURCE },
    /language\.json is invalid: it is not an object\. Correct the file/,
  ],
];
for (const [what, { example, ...parts }, message] of UNFIT)
  test(`a check of a language ${what} says what to do`, async () => {
    const path = write('quill', parts);
    if (example !== undefined) writeFileSync(join(path, 'example.quill'), example);
    await assert.rejects(checkLanguage(path, 300), (error: LocusError) => {
      assert.match(`${error.message} ${error.remedy}`, message);
      return true;
    });
  });

test('a check follows no links, and refuses a folder that is no language', async () => {
  const path = write('quill', {});
  symlinkSync('/etc/passwd', join(path, 'example.quill'));
  await assert.rejects(checkLanguage(path), /link/);
  await assert.rejects(checkLanguage(join(folder, 'nowhere')), /not the folder of a language/);
});
