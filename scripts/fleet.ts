/**
 * Runs the tests against real servers, the files `*.fleet.ts` in test and e2e (those in e2e need `npm run build`
 * before): `node scripts/fleet.ts [pattern ...]`. Installs the servers in a virtual environment first, and fails if that fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentFolder, makeEnvironment } from './virtual-environment.ts';

const REQUIREMENTS = join(import.meta.dirname, '../test/fleet/requirements.txt');
const ENVIRONMENT = environmentFolder('locus-fleet', REQUIREMENTS);
/** File that marks a complete installation. */
const COMPLETE = join(ENVIRONMENT, 'complete');

/** Returns the path of a server's program. @throws Error with a remedy if the servers are not installed */
export function serverProgram(name: string): string {
  if (!existsSync(COMPLETE)) throw new Error('the servers are not installed: npm run test:fleet');
  return join(ENVIRONMENT, 'bin', name);
}

if (import.meta.filename === process.argv[1]) {
  if (!existsSync(COMPLETE)) {
    console.error(`Making ${ENVIRONMENT} with the servers that test/fleet/requirements.txt names.`);
    makeEnvironment(ENVIRONMENT, REQUIREMENTS);
    writeFileSync(COMPLETE, '');
  }
  const given = process.argv.slice(2);
  const patterns = given.length > 0 ? given : ['test/**/*.fleet.ts', 'e2e/*.fleet.ts'];
  const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=2', ...patterns], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
