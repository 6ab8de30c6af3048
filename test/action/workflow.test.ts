import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { it } from 'node:test';
import { parse } from 'yaml';

// The parser is published for bundlers, so it imports JSON without the attribute that Node requires.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/how-to/rank-new-issues.md'), 'utf8');
const [, content = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
const { jobs, permissions } = parse(content);
const steps: { uses: string; with: Record<string, string> }[] = [
  ...jobs.rank.steps,
  ...jobs.post.steps,
];

it('GitHub accepts the documented workflow', () => {
  const { context } = parseWorkflow({ name: 'rank', content }, new NoOperationTraceWriter());
  assert.deepEqual(
    context.errors.getErrors().map(({ message }) => message),
    [],
  );
});

it('only the job without a checkout can write, and only the step that posts has a token', () => {
  assert.deepEqual(
    [permissions, jobs.rank.permissions, jobs.post.permissions],
    [{}, { contents: 'read' }, { issues: 'write' }],
  );
  assert.deepEqual(
    steps
      .filter((step) => /token|secrets/.test(JSON.stringify(step.with)))
      .map((step) => step.with.mode),
    ['post'],
  );
  assert.equal(jobs.post.steps.length, 1);
  assert.equal(jobs.rank.steps[0].with['persist-credentials'], false);
  assert.doesNotMatch(content, /run:|secrets\./);
});

it('the cache is saved before the step that reads the issue', () => {
  const order = steps.map((step) => step.with.mode ?? step.uses.replace(/@.*/, ''));
  assert.deepEqual(order, [
    'actions/checkout',
    'actions/cache/restore',
    'index',
    'actions/cache/save',
    'rank',
    'post',
  ]);
});

it('every action of others is pinned, and the inputs exist', () => {
  const { inputs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  for (const step of steps)
    if (step.uses.startsWith('actions/')) assert.match(step.uses, /@[0-9a-f]{40}$/);
    else for (const name of Object.keys(step.with)) assert.ok(Object.hasOwn(inputs, name), name);
});
