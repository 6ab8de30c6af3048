/**
 * `npm run release [-- --dry-run]`: makes the artifacts of a release that this machine can make in dist/release, says which ones it
 * cannot, and rehearses their installation. It publishes nothing. Without `--dry-run`, it refuses placeholders. docs/how-to/releasing.md
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeArtifacts } from './artifacts.ts';
import { rehearse } from './rehearsal/rehearsal.ts';
import { findMissingLicenses } from './release/licenses.ts';
import { assertNoPlaceholders } from './release/names.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'dist/release');

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
if (areNamesSet()) await release();

/** Prints the placeholders. Returns false if they prevent the release. */
function areNamesSet(): boolean {
  try {
    assertNoPlaceholders();
    return true;
  } catch (error) {
    console.error(`release: ${(error as Error).message}\n`);
    if (!values['dry-run']) process.exitCode = 1;
    return values['dry-run'];
  }
}

async function release(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  execFileSync('npm', ['run', '-s', 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  const { made, missing, bundle } = await makeArtifacts(ROOT, FOLDER);
  console.log(`Made in ${FOLDER}:`);
  for (const [path, remark] of made) console.log(`  ${path}${remark ? ` (${remark})` : ''}`);
  console.log('\nNot made here:');
  for (const [artifact, reason] of missing) console.log(`  ${artifact}: ${reason}`);
  console.log('\nLicense and notices:');
  const unlicensed = findMissingLicenses(FOLDER);
  console.log(unlicensed.map((one) => `  ✗ ${one}`).join('\n') || '  ✓ in every archive');
  if (unlicensed.length > 0) process.exitCode = 1;
  console.log('\nRehearsal:');
  const { where, steps } = await rehearse(join(FOLDER, 'npm'), bundle);
  console.log(`  ${where}`);
  for (const { name, problem } of steps)
    console.log(problem === null ? `  ✓ ${name}` : `  ✗ ${name}: ${problem}`);
  if (steps.some(({ problem }) => problem !== null)) process.exitCode = 1;
}
