/**
 * `node scripts/structure.ts`, part of `npm run lint`: checks imports against the rules of `.dependency-cruiser.cjs`. Prints the
 * number of modules and imports, and fails if there are too few, since a parser that fails on TypeScript would find no fault.
 */
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, type IConfiguration } from 'dependency-cruiser';
import { effectsInWindow } from './effects-at-import.ts';

const ROOT = join(import.meta.dirname, '..');
const READ = ['src', 'lab', 'demo', 'scripts'];
/** Well below the actual number, and well above what is found if type imports or dynamic imports are missed. */
const MIN_IMPORTS_A_MODULE = 3;

const { options, ...ruleSet }: IConfiguration = createRequire(import.meta.url)(
  join(ROOT, '.dependency-cruiser.cjs'),
);
const { output } = await cruise(READ, { ...options, ruleSet, validate: true, baseDir: ROOT });
if (typeof output === 'string') throw new Error(output);

const { violations } = output.summary;
for (const { rule, from, to, cycle } of violations) {
  const way = cycle ? cycle.map(({ name }) => name).join(' → ') : to;
  console.error(`${rule.name}: ${from} → ${way}`);
}
const ours = output.modules.filter(({ source }) =>
  READ.some((root) => source.startsWith(`${root}/`)),
);
const imports = ours.reduce((sum, { dependencies }) => sum + dependencies.length, 0);
const files = globSync(
  READ.map((root) => `${root}/**/*.{ts,tsx}`),
  { cwd: ROOT },
).length;
console.log(`structure: ${ours.length} modules and ${imports} imports read, of ${files} files`);
if (ours.length < files || imports < MIN_IMPORTS_A_MODULE * files) {
  console.error('structure: Some modules or imports were not parsed, so the check is void.');
  process.exitCode = 1;
}
const { effects } = effectsInWindow(ROOT);
for (const effect of effects) {
  console.error(
    `effect at import: ${effect}. Move it to a function that the feature's start() calls.`,
  );
}
if (violations.length + effects.length > 0) process.exitCode = 1;
