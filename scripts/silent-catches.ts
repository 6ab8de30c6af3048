/**
 * `node scripts/silent-catches.ts`, part of `npm run lint`: finds errors that are dropped silently: a `catch` without a binding or
 * body, and an empty handler of a rejection or of the event `error`. Such an error must be logged, or a comment must say why it may be dropped.
 * Expects sources as Biome formats them.
 */
import { globSync, readFileSync } from 'node:fs';

const CATCH = /^(\s*).*\bcatch (\(\w+\) )?\{(\})?/;
const EMPTY_HANDLER = /\.(?:catch\(|then\(.*, |on\('error', )\(\w*\) => \{\}\)/;
const COMMENT = /\/\/ \S|\/\* \S/;
const LOGGED = /\b(?:log|logFailure|ignoring)\(/;

/** Returns the numbers of the lines, from 1, where an error is dropped without a reason. */
export function findSilentCatches(code: string): number[] {
  const lines = code.split('\n');
  return lines.flatMap((line, at) => {
    const isSilent =
      isSilentCatch(lines, at) || (EMPTY_HANDLER.test(line) && !isExplained(lines, at));
    return isSilent ? [at + 1] : [];
  });
}

/** Returns true if the line or the one before has a comment. */
const isExplained = (lines: readonly string[], at: number): boolean =>
  lines.slice(Math.max(0, at - 1), at + 1).some((line) => COMMENT.test(line));

function isSilentCatch(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  const found = CATCH.exec(line);
  if (!found || isExplained([line], 0)) return false;
  const [, indent = '', binding, closed] = found;
  if (closed) return true;
  const end = lines.findIndex((other, index) => index > at && other.startsWith(`${indent}}`));
  const body = lines.slice(at + 1, end);
  if (binding && body.length > 0) return false;
  return !body.some((other) => COMMENT.test(other) || LOGGED.test(other));
}

if (import.meta.filename === process.argv[1]) {
  const paths = globSync('src/**/*.{ts,tsx}');
  if (paths.length === 0)
    throw new Error('There are no sources. Run this in the root of the project.');
  for (const path of paths.toSorted())
    for (const line of findSilentCatches(readFileSync(path, 'utf8'))) {
      console.error(
        `${path.replaceAll('\\', '/')}:${line}: An error is dropped. Log it by ignoring() of src/base/log.ts, or say why in a comment.`,
      );
      process.exitCode = 1;
    }
}
