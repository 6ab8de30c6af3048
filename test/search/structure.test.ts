/** Evidence from the structure of code and tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchRequest } from '../../src/shared/search.ts';
import { type FileSpecs, MemoryIndex, search, WORDS_ALONE } from './support.ts';

/** Returns the values of a signal other than 0, by qualified name. */
function valuesOf(files: FileSpecs, signal: string, request: SearchRequest) {
  const { results } = search(new MemoryIndex(files), null, request, { ranker: WORDS_ALONE });
  return Object.fromEntries(
    results.flatMap(({ qualifiedName, evidence }) =>
      evidence[signal] ? [[qualifiedName, evidence[signal].value]] : [],
    ),
  );
}

const JARS: FileSpecs = {
  'jars.py': [
    { name: 'Jar', kind: 'class', text: 'class Jar: jar' },
    { name: 'Jar.__init__', text: 'jar' },
    { name: 'Jar.open', text: 'jar' },
    { name: 'Jar.close', text: 'jar' },
    { name: 'Screwed', kind: 'class', bases: ['Jar'], text: 'jar' },
    { name: 'Screwed.close', text: 'jar' },
    { name: 'Screwed.turn', text: 'jar' },
    { name: 'Honey', kind: 'class', bases: ['Screwed'], text: 'jar' },
    { name: 'Honey.__init__', text: 'jar' },
    { name: 'Honey.turn', text: 'jar' },
  ],
};

test('a method that a mentioned class inherits and does not override is evidence, less with distance', () => {
  const issue = 'The jar `Honey` leaks';
  assert.deepEqual(valuesOf(JARS, 'inherited', { issue }), { 'Screwed.close': 1, 'Jar.open': 0.5 });
  assert.deepEqual(valuesOf(JARS, 'inherited', { issue: 'The jar `Jar` leaks' }), {});
  const { results } = search(new MemoryIndex(JARS), null, { issue }, { ranker: WORDS_ALONE });
  const { inherited } = results.find(({ qualifiedName }) => qualifiedName === 'Jar.open')!.evidence;
  assert.equal(inherited.sentence, 'inherited by `Honey`, which the issue mentions');
  assert.deepEqual(
    inherited.spans?.map(({ text }) => text),
    ['Honey'],
  );
});

test('classes that inherit from one another do not cause a loop', () => {
  const files: FileSpecs = {
    'a.py': [
      { name: 'A', kind: 'class', bases: ['B'], text: 'knot' },
      { name: 'A.f', text: 'knot' },
      { name: 'B', kind: 'class', bases: ['A'], text: 'knot' },
      { name: 'B.g', text: 'knot' },
    ],
  };
  assert.deepEqual(valuesOf(files, 'inherited', { issue: 'A knot in `A`' }), { 'B.g': 1 });
});

test('the constructor of a mentioned class is evidence if the issue mentions arguments', () => {
  const values = (issue: string) => valuesOf(JARS, 'initializer', { issue });
  assert.deepEqual(values('`Honey` should accept a jar'), { 'Honey.__init__': 1 });
  assert.deepEqual(values('`Honey` leaks from the jar'), {});
  assert.deepEqual(values('A jar should accept an argument'), {});
});

const SHOP: FileSpecs = {
  'shop/cookies.py': [{ name: 'keep', text: 'keep it' }],
  'shop/mail.py': [{ name: 'send', text: 'expires' }],
  'tests/test_cookies.py': [
    { name: 'test_expires', text: 'cookie expires on redirect' },
    { name: 'test_keep', text: 'keep it' },
  ],
  'tests/test_mail.py': [{ name: 'test_send', text: 'send mail it' }],
};

test('the file of tests similar to the issue is evidence, even if tests are excluded', () => {
  const issue = 'The cookie expires on redirect, keep it';
  for (const tests of ['demote', 'exclude', 'include'] as const) {
    const values = valuesOf(SHOP, 'testFile', { issue, tests });
    assert.ok(values.keep > 1, tests);
    assert.equal(values.send, undefined, tests);
    assert.equal(values.test_expires, undefined, 'a test is not what it tests');
  }
  const { results } = search(new MemoryIndex(SHOP), null, { issue }, { ranker: WORDS_ALONE });
  const { testFile } = results.find(({ name }) => name === 'keep')!.evidence;
  assert.equal(testFile.sentence, 'a test for this file is similar to the issue: `test_expires`');
});

test('sentences in logs and quotation marks find the code that has their words', () => {
  const files: FileSpecs = {
    'a.py': [
      { name: 'warn', text: 'log("Malformed option description %r, should look like")' },
      { name: 'other', text: 'lake' },
    ],
  };
  const values = (issue: string) => valuesOf(files, 'quoted', { issue });
  assert.ok(values('It says\nWARNING: Malformed option description "x" in the lake').warn > 0);
  assert.ok(values('The lake shows “Malformed option description”, why?').warn > 0);
  assert.deepEqual(values('Malformed option description in the lake'), {});
  assert.deepEqual(values('The option "description" of the lake'), {}, 'a word is not a sentence');
});

test('a ranking with a low confidence is repeated among more candidates', () => {
  const members = Array.from({ length: 300 }, (_, i) => ({ name: `Big.m${i}`, text: `x${i}` }));
  const noise = Array.from({ length: 600 }, (_, i) => ({ name: `n${i}`, text: 'leak here' }));
  const index = new MemoryIndex({
    'big.py': [{ name: 'Big', kind: 'class', text: 'leak leak leak jar' }, ...members],
    'noise.py': noise,
  });
  for (const slot of index.chunks.keys()) index.vectors.set(slot, new Float32Array([1, 0, 0]));
  const vector = new Float32Array([1, 0, 0]);
  const found = (intercept: number, once = false) => {
    const calibration = { places: 5, intercept, weights: {} };
    const request = { issue: 'the jar has a leak', limit: 5000 };
    const ranker = { ...WORDS_ALONE, calibration };
    return search(index, { issue: vector, prose: vector }, request, { ranker, once });
  };
  const sure = found(5);
  const unsure = found(-5);
  assert.ok(sure.confidence! > 0.9 && unsure.confidence! < 0.1);
  const has = ({ results }: typeof sure) => results.some(({ name }) => name === 'm299');
  assert.equal(has(sure), false);
  assert.equal(has(unsure), true);
  assert.equal(has(found(-5, true)), false, 'unless it is to be made once');
  assert.equal(sure.considered, unsure.considered);
});

const LIBRARY: FileSpecs = {
  'lib/auth/login.py': [
    { name: 'check', text: 'token' },
    { name: 'renew', text: 'redirect' },
  ],
  'lib/auth/logout.py': [{ name: 'leave', text: 'token' }],
  'lib/mail/send.py': [{ name: 'post', text: 'token' }],
  'lib/auth/test_login.py': [{ name: 'test_check', text: 'token redirect loops' }],
};

test('a file and a folder whose chunks together have the words of the title are evidence', () => {
  const issue = 'The redirect loses its token\nloops';
  const file = valuesOf(LIBRARY, 'fileCoverage', { issue, tests: 'exclude' });
  assert.equal(file.check, file.renew, 'whichever of its chunks has a word');
  assert.ok(file.check > file.leave);
  assert.equal(file.leave, file.post);
  const folder = valuesOf(LIBRARY, 'folderCoverage', { issue, tests: 'exclude' });
  assert.equal(folder.leave, folder.check);
  assert.ok(folder.leave > folder.post);
  const { results } = search(new MemoryIndex(LIBRARY), null, { issue }, { ranker: WORDS_ALONE });
  const { fileCoverage } = results.find(({ name }) => name === 'check')!.evidence;
  assert.equal(fileCoverage.sentence, 'its file mentions `redirect`, `token`, as the title does');
});

test('words in the tests of a folder do not count for its source', () => {
  const values = valuesOf(LIBRARY, 'folderCoverage', { issue: 'It loops with a token' });
  assert.equal(values.check, values.post);
  assert.ok(values.test_check > values.check);
});

test('coverage follows files that are added or removed later', () => {
  const index = new MemoryIndex(LIBRARY);
  index.lexical.build();
  index.addFile('lib/mail/resend.py', [{ name: 'again', text: 'redirect token' }]);
  index.removeFile('lib/auth/login.py');
  const { results } = search(index, null, { issue: 'redirect token' }, { ranker: WORDS_ALONE });
  const covered = (name: string) =>
    results.find((one) => one.name === name)!.evidence.fileCoverage?.value ?? 0;
  assert.ok(covered('again') > covered('leave'));
  assert.equal(covered('leave'), covered('post'));
});

test('a name whose words are all in the issue, in any form, is evidence', () => {
  const files: FileSpecs = {
    'a.py': [
      { name: 'Session', kind: 'class', text: 'class Session' },
      { name: 'Session.rebuild_auth', text: 'auth' },
      { name: 'Session.rebuild_proxies', text: 'auth' },
      { name: 'clear', text: 'auth' },
    ],
  };
  const issue = 'A session should rebuild its auth';
  const values = valuesOf(files, 'nameCoverage', { issue });
  assert.equal(values['Session.rebuild_auth'], 1);
  assert.ok(values['Session.rebuild_proxies'] > 0 && values['Session.rebuild_proxies'] < 1);
  assert.equal(values.clear, undefined);
  const { results } = search(new MemoryIndex(files), null, { issue }, { ranker: WORDS_ALONE });
  const { nameCoverage } = results.find(({ name }) => name === 'rebuild_proxies')!.evidence;
  assert.equal(nameCoverage.sentence, 'its name contains `rebuild`, `session`');
});

test('definitions at lines in the issue are evidence, less the more there are', () => {
  const files: FileSpecs = {
    'jars/lid.py': [
      { name: 'turn', lines: [1, 3], text: 'jar lid' },
      { name: 'close', lines: [5, 7], text: 'glass' },
      { name: 'open', lines: [9, 11], text: 'wood' },
    ],
  };
  const lines = (issue: string) => {
    const { results } = search(new MemoryIndex(files), null, { issue, kinds: ['function'] });
    return results.flatMap(({ name, evidence }) => {
      const { value = 0, measured, sentence } = evidence.lines ?? {};
      return value > 0 ? [[name, measured, sentence]] : [];
    });
  };
  const link = 'https://github.com/ann/jars/blob/main/jars/lid.py';
  assert.deepEqual(lines(`The jar has no lid: ${link}#L6`), [
    ['close', 'yes', 'the issue points to line 6'],
  ]);
  const both = 'the issue points to lines 7 to 9';
  assert.deepEqual(lines(`The jar has no lid: ${link}#L7-L9`).sort(), [
    ['close', '1 of 2', both],
    ['open', '1 of 2', both],
  ]);
  const { results } = search(new MemoryIndex(files), null, { issue: `A lid: ${link}#L6` });
  const paths = results.map(({ name, evidence }) => [name, evidence.path?.sentence]);
  assert.deepEqual(Object.fromEntries(paths), {
    ...{
      turn: 'the issue mentions its path `jars/lid.py`',
      open: 'the issue mentions its path `jars/lid.py`',
    },
    ...{ close: null, '<module>': 'the issue mentions its path `jars/lid.py`' },
  });
});

test('vendored and generated code ranks lower, as tests do, unless the issue mentions its file', () => {
  const files: FileSpecs = {
    'jars/lid.py': [{ name: 'turn', lines: [1, 3], text: 'jar lid' }],
    'jars/_vendor/screw.py': [{ name: 'drive', lines: [1, 3], text: 'jar lid' }],
    'jars/lid_pb2.py': [{ name: 'encode', lines: [1, 3], text: 'jar lid' }],
    'tests/test_lid.py': [{ name: 'test_turn', lines: [1, 3], text: 'jar lid' }],
  };
  const roles = (issue: string, tests?: SearchRequest['tests']) => {
    const { results } = search(new MemoryIndex(files), null, { issue, tests, kinds: ['function'] });
    return Object.fromEntries(
      results.map(({ name, evidence }) => [name, evidence.role?.value ?? 0] as const),
    );
  };
  const foreign = { drive: 1, encode: 1, test_turn: 1 };
  assert.deepEqual(roles('The jar has no lid'), { turn: 0, ...foreign });
  assert.deepEqual(roles('The jar has no lid, see screw.py'), { turn: 0, ...foreign, drive: 0 });
  assert.deepEqual(roles('The jar has no lid, see tests/test_lid.py'), { turn: 0, ...foreign });
  const traceback =
    'The jar has no lid\n\nTraceback (most recent call last):\n  File "jars/lid_pb2.py", line 2, in encode\n    lid()\nKeyError: 1\n';
  assert.deepEqual(roles(traceback), { turn: 0, ...foreign, encode: 0 });
  assert.deepEqual(roles('The jar has no lid', 'exclude'), { turn: 0 });
});
