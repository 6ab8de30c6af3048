/** Entry of the `locus` command. It does what must come before the modules of `main.ts` are loaded. */
import '../base/no-telemetry.ts';
import { VERSION } from '../shared/version.ts';
import { exitOnOutputErrors } from './output-errors.ts';
import { startWithSmallHeaps } from './small-heaps.ts';

const [option, ...others] = process.argv.slice(2);
startWithSmallHeaps(process);
exitOnOutputErrors(process);
if ((option === '--version' || option === '-V') && others.length === 0) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const { enableEfficiencyMode } = await import('./efficiency-mode.ts');
  enableEfficiencyMode(process);
  const { cacheCompiledCode } = await import('./compile-cache.ts');
  cacheCompiledCode(process);
  await import('./main.ts');
}
