/** Finds side effects at import in modules of the window. A feature starts with its `start()` only. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CallExpression,
  type Expression,
  type Import,
  parseSync,
  type Super,
} from '@swc/core';
import { visitNodes } from './syntax-tree.ts';

/** Names of calls that subscribe. They are refused in the initializer of a constant, too. */
const SUBSCRIBES =
  /^(subscribe|on([A-Z]\w*)?|addEventListener|listen|follow\w*|register\w*|keepView|setInterval|setTimeout)$/;

const FUNCTIONS = new Set([
  'ArrowFunctionExpression',
  'ClassMethod',
  'Constructor',
  'FunctionDeclaration',
  'FunctionExpression',
  'GetterProperty',
  'MethodProperty',
  'PrivateMethod',
  'SetterProperty',
]);

/**
 * Returns the names of the functions that the module calls, at its top level, as statements or to subscribe.
 * @param tsx true if the code may have JSX
 */
export function findEffectsAtImport(code: string, { tsx = false } = {}): string[] {
  const found: string[] = [];
  for (const statement of parseSync(code, { syntax: 'typescript', tsx }).body) {
    const isCall =
      statement.type === 'ExpressionStatement' && callIn(statement.expression) !== null;
    visitCalls(statement, (call) => {
      const name = getCalleeName(call.callee);
      if (isCall || SUBSCRIBES.test(name)) found.push(name);
    });
  }
  return found;
}

/** Returns a call expression, without an `await` or operator around it; null for any other expression. */
function callIn(expression: Expression): CallExpression | null {
  if (expression.type === 'CallExpression') return expression;
  if (expression.type === 'AwaitExpression') return callIn(expression.argument);
  if (expression.type === 'UnaryExpression') return callIn(expression.argument);
  return null;
}

/** Visits the calls below a node that run with it, so none in nested functions. */
function visitCalls(root: unknown, onCall: (call: CallExpression) => void): void {
  visitNodes(root, (node) => {
    const { type = '' } = node as { type?: string };
    if (type === 'CallExpression') onCall(node as CallExpression);
    return !FUNCTIONS.has(type);
  });
}

function getCalleeName(callee: Expression | Super | Import): string {
  if (callee.type === 'Identifier') return callee.value;
  if (callee.type !== 'MemberExpression') return '';
  return callee.property.type === 'Identifier' ? callee.property.value : '';
}

/** Module that starts the window. */
const ENTRY = 'src/renderer/main.tsx';

/** Returns `path: name` for each effect in a file of `src/renderer` below `root`, except the entry. */
export function effectsInWindow(root: string): { effects: string[]; files: number } {
  const paths = globSync('src/renderer/**/*.{ts,tsx}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path !== ENTRY);
  const effects = paths.flatMap((path) => {
    const code = readFileSync(join(root, path), 'utf8');
    const found = findEffectsAtImport(code, { tsx: path.endsWith('x') });
    return found.map((name) => `${path}: ${name}`);
  });
  return { effects, files: paths.length };
}
