import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepts, languageNamed, languageOf, parserOf } from '../../src/engine/languages/index.ts';

test('languages: are detected by the file name', () => {
  for (const path of ['a.py', 'src/a/b.py', 'a.pyi', 'gui.pyw', 'A.PY', 'build/SConstruct']) {
    assert.equal(languageOf(path)?.name, 'python', path);
    assert.ok(accepts(path), path);
  }
  for (const path of ['a.txt', 'py', '.py', 'a.py/b', 'a.pyc', 'README', '']) {
    assert.equal(languageOf(path), null, path);
    assert.ok(!accepts(path), path);
  }
});

test('languages: a chunker has a name and a version', () => {
  assert.match(parserOf('a.py'), /^python \d+-[0-9a-f]{12}$/);
  assert.equal(parserOf('a.py'), parserOf('b/c.pyi'));
  assert.equal(parserOf('a.txt'), '');
});

test('languages: an unknown name is an error that lists the supported ones', () => {
  assert.throws(() => languageNamed('cobol'), {
    code: 'not-found',
    message: /cobol/,
    remedy: /python/,
  });
});
