import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

// The parser is published for bundlers, so it imports JSON without the attribute that Node requires.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');

const WORKFLOWS = join(import.meta.dirname, '../../.github/workflows');

function findErrors(name: string, content: string): string[] {
  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

test('the CI host accepts every workflow', () => {
  const names = readdirSync(WORKFLOWS);
  assert.ok(names.length > 0);
  for (const name of names) {
    assert.deepEqual(findErrors(name, readFileSync(join(WORKFLOWS, name), 'utf8')), [], name);
  }
});

test('a misspelled key in a workflow is refused', () => {
  const content = readFileSync(join(WORKFLOWS, 'test.yml'), 'utf8');
  assert.match(findErrors('test.yml', content.replace('runs-on:', 'run-on:')).join(), /run-on/);
});
