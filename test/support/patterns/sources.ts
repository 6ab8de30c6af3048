import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** Regular expression literal in a source file. */
export interface Literal {
  /** `path:line` */
  place: string;
  pattern: RegExp;
}

/** Finds all regular expressions in the sources under `root`: literals, and calls of `RegExp` with their paths. */
export function findPatterns(root: string): { literals: Literal[]; made: string[] } {
  const literals: Literal[] = [];
  const made: string[] = [];
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: root }).sort()) {
    const text = readFileSync(join(root, path), 'utf8');
    const { program, errors } = parseSync(path, text);
    if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
    for (const node of walkNodes(program)) {
      const line = text.slice(0, node.start).split('\n').length;
      if (node.type === 'Literal' && node.regex) {
        const pattern = new RegExp(node.regex.pattern, node.regex.flags);
        literals.push({ place: `${path}:${line}`, pattern });
      }
      const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
      if (isCall && node.callee?.name === 'RegExp') {
        made.push(`${path}: ${text.slice(node.start, node.end)}`);
      }
    }
  }
  return { literals, made };
}

/** Node of a syntax tree (ESTree), with the fields that are used here. */
interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
}

function* walkNodes(value: unknown): Generator<SyntaxNode> {
  if (typeof value !== 'object' || value === null) return;
  if (typeof (value as SyntaxNode).type === 'string') yield value as SyntaxNode;
  for (const child of Object.values(value)) yield* walkNodes(child);
}
