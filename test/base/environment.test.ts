import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  describeVariables,
  findUnknownVariables,
  readVariable,
  tabulateVariables,
  VARIABLE_NAMES,
  VARIABLES,
} from '../../src/base/environment.ts';
import { LocusError } from '../../src/shared/errors.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Invalid values, for each variable that can have one. */
const INVALID: Partial<Record<(typeof VARIABLE_NAMES)[number], string>> = {
  LOCUS_FAST: 'yes',
  LOCUS_FETCH_HOSTS: 'github.com, *.com/x',
  LOCUS_FLEET_ENGINE: 'milvus:19530',
  LOCUS_FLEET_TOKEN: 'one\ntwo',
  LOCUS_GIT_TIMEOUT: '-1',
  LOCUS_LOG: 'loud',
  LOCUS_PUBLISHER_KEY: 'ed25519:public',
  LOCUS_CHECK_API_KEY: 'one\ntwo',
  LOCUS_CHECK_URL: 'ftp://example.com',
};

describe('environment variables', () => {
  it('accept their own examples and have a default', () => {
    for (const name of VARIABLE_NAMES) {
      const { example, fallback, isSecret } = VARIABLES[name];
      if (!isSecret) assert.notEqual(readVariable(name, { [name]: example }), undefined, name);
      assert.deepEqual(readVariable(name, {}), fallback, name);
      assert.deepEqual(readVariable(name, { [name]: '' }), fallback, name);
    }
    assert.equal(readVariable('LOCUS_GIT_TIMEOUT', { LOCUS_GIT_TIMEOUT: '1e9' }), 86_400);
    assert.deepEqual(readVariable('LOCUS_FETCH_HOSTS', { LOCUS_FETCH_HOSTS: 'a.org, b.org:1' }), [
      'a.org',
      'b.org:1',
    ]);
  });

  it('refuse an invalid value with a remedy, and never quote a secret', () => {
    for (const [name, value] of Object.entries(INVALID)) {
      const variable = name as keyof typeof VARIABLES;
      assert.throws(
        () => readVariable(variable, { [name]: value }),
        (error) => {
          assert.ok(error instanceof LocusError && error.code === 'bad-input');
          assert.match(error.message, new RegExp(`\\b${name} is`));
          assert.match(error.remedy, new RegExp(`^Set ${name} to .*, or unset it\\.$`));
          const isQuoted = `${error.message}${error.remedy}`.includes(value);
          assert.equal(isQuoted, !VARIABLES[variable].isSecret, name);
          return true;
        },
      );
    }
  });

  it('are described without secrets, and unknown ones are found', () => {
    const env = { LOCUS_FLEET_TOKEN: 'user:swordfish', LOCUS_FAST: '1', LOCUS_DATADIR: '/x' };
    assert.deepEqual(describeVariables(env), ['LOCUS_FAST=1', 'LOCUS_FLEET_TOKEN (secret)']);
    assert.deepEqual(findUnknownVariables(env), ['LOCUS_DATADIR']);
  });

  it('are documented in docs/reference/cli.md as declared', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/cli.md'), 'utf8');
    assert.ok(
      page.includes(tabulateVariables()),
      `docs/reference/cli.md needs:\n${tabulateVariables()}`,
    );
  });
});

/** Pattern of a read of a Locus variable: a property, an element or a destructured name. */
const READ = /\.LOCUS_\w+|\w\[\s*['"`]LOCUS_|\{[^{}]*\bLOCUS_\w+[^{}]*\}\s*[:=]/;
const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '');

describe('the rule that sources read Locus variables with readVariable', () => {
  it('detects every way of reading one directly', () => {
    for (const code of [
      'const a = process.env.LOCUS_LOG;',
      "const a = env['LOCUS_LOG'];",
      'const { LOCUS_LOG } = process.env;',
      'const { PATH, LOCUS_LOG: log } = env;',
    ])
      assert.match(withoutComments(code), READ, code);
    assert.doesNotMatch("const added = { LOCUS_DATA_DIR: folder, LOCUS_LOG: 'off' };", READ);
    assert.doesNotMatch(withoutComments("readVariable('LOCUS_LOG'); // env.LOCUS_LOG"), READ);
  });

  it('holds for all sources', () => {
    const paths = globSync('src/**/*.{ts,tsx}', { cwd: ROOT });
    assert.ok(paths.length > 500, 'sources are found');
    const broken = paths.filter(
      (path) =>
        path !== join('src', 'base', 'environment.ts') &&
        READ.test(withoutComments(readFileSync(join(ROOT, path), 'utf8'))),
    );
    assert.deepEqual(broken, []);
  });
});
