import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findLanguage,
  getLanguage,
  getParserVersion,
  isSourcePath,
} from '../../src/engine/languages/index.ts';

test('languages: are detected by the file name', () => {
  for (const path of ['a.py', 'src/a/b.py', 'a.pyi', 'gui.pyw', 'A.PY', 'build/SConstruct']) {
    assert.equal(findLanguage(path)?.name, 'python', path);
    assert.ok(isSourcePath(path), path);
  }
  for (const path of ['a.txt', 'py', '.py', 'a.py/b', 'a.pyc', 'README', '']) {
    assert.equal(findLanguage(path), null, path);
    assert.ok(!isSourcePath(path), path);
  }
});

test('languages: a chunker has a name and a version', () => {
  assert.match(getParserVersion('a.py'), /^python \d+-[0-9a-f]{12}$/);
  assert.equal(getParserVersion('a.py'), getParserVersion('b/c.pyi'));
  assert.equal(getParserVersion('a.txt'), '');
});

test('languages: an unknown name is an error that lists the supported ones', () => {
  assert.throws(() => getLanguage('cobol'), {
    code: 'not-found',
    message: /cobol/,
    remedy: /python/,
  });
});
