import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, outlineSections } from './helpers.ts';

test('keeps lists of packages and paths in one section', () => {
  const packages = lines('# Of the shop.', 'requests>=2.0  # http', '-r base.txt', 'django-filter');
  const keys = '[requests, base.txt, django-filter]';
  for (const path of ['requirements.txt', 'requirements/dev.txt', 'dev-requirements.txt'])
    assert.deepEqual(outlineSections(path, packages), [`1-4 ${path.replace(/.*\//, '')} ${keys}`]);
  assert.deepEqual(outlineSections('.github/CODEOWNERS', '/docs/ @writers\n'), [
    '1-1 CODEOWNERS [docs/, @writers]',
  ]);
  assert.deepEqual(
    outlineSections('go.mod', lines('module a.com/shop', 'require (', '\tb.org/x v1', ')')),
    ['1-4 go.mod [module, a.com/shop, require, b.org/x, v1]'],
  );
});

test('splits a Jenkinsfile by its stages', () => {
  const text = lines(
    'pipeline {',
    '  agent any',
    '  stages {',
    '    // Compiles.',
    "    stage('Build') {",
    "      steps { sh 'make' }",
    '    }',
    '    stage("Test it") {',
    '    }',
    '  }',
    '}',
  );
  assert.deepEqual(outlineSections('Jenkinsfile', text), [
    '1-3 Jenkinsfile',
    '4-7 Build',
    '8-11 Test it',
  ]);
});
