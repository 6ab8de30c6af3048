/**
 * Runs the scripts of package.json whose names begin with a prefix, as many at a time as there are processors:
 * `node scripts/at-once.ts <prefix> ...`. Prints the output of each when it ends, and fails if any fails.
 */
import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const MAX_OUTPUT = 1 << 28;

const prefixes = process.argv.slice(2);
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
const chosen = Object.entries(scripts).filter(([name]) =>
  prefixes.some((prefix) => name.startsWith(prefix)),
);
if (chosen.length === 0) {
  console.error('usage: npx node scripts/at-once.ts <prefix of names of scripts> ...');
  process.exit(2);
}
const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
const queue = chosen.values();

await Promise.all(Array.from({ length: availableParallelism() }, runInTurn));

async function runInTurn(): Promise<void> {
  for (const [name, command] of queue) {
    const start = performance.now();
    const { printed, isGood } = await runCommand(command);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${isGood ? 'passed' : 'FAILED'}: ${name} (${seconds} s)\n${printed}`.trimEnd());
    if (!isGood) process.exitCode = 1;
  }
}

/** Resolves when the command ends, with its output and true if it succeeded. */
function runCommand(command: string): Promise<{ printed: string; isGood: boolean }> {
  return new Promise((done) => {
    const options = { cwd: ROOT, env: { ...process.env, PATH }, maxBuffer: MAX_OUTPUT };
    exec(command, options, (error, stdout, stderr) =>
      done({ printed: stdout + stderr, isGood: error === null }),
    );
  });
}
