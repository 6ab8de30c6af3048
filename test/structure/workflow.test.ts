import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { findWorkflowErrors, listWorkflows } from '../../scripts/lint-workflows.ts';

const read = (path: string) => readFileSync(path, 'utf8');

test('the CI host and actionlint accept every workflow', async () => {
  const paths = listWorkflows();
  assert.ok(paths.length > 1);
  for (const path of paths)
    assert.deepEqual(await findWorkflowErrors(basename(path), read(path)), []);
});

test('a misspelled key and an unknown property are refused', async () => {
  const [path = ''] = listWorkflows().filter((path) => basename(path) === 'test.yml');
  const find = async (from: string, to: string) =>
    (await findWorkflowErrors('test.yml', read(path).replace(from, to))).join('\n');
  assert.match(await find('runs-on:', 'run-on:'), /run-on/);
  assert.match(
    await find('${' + '{ matrix.os }}', '${' + '{ matrix.oss }}'),
    /test\.yml:\d+:\d+: property "oss" is not defined/,
  );
});
