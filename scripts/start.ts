/**
 * `npm start [dir]`: opens the desktop app if Electron is installed, or else the same app in the browser. Builds it first if needed.
 * Further arguments are passed to the app, or to `locus serve`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findElectron } from '../src/cli/electron.ts';

const root = join(import.meta.dirname, '..');
const args = process.argv.slice(2);
/** Folder in which the user called npm, to resolve relative arguments; npm itself changes to the project. */
const CALLED_FROM = process.env.INIT_CWD ?? process.cwd();

if (
  !existsSync(join(root, 'out/main/index.js')) ||
  !existsSync(join(root, 'out/renderer/index.html'))
) {
  const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const code = await run(process.execPath, [builder, 'build'], root);
  if (code !== 0) process.exit(code);
}
const electron = findElectron();
if (electron) {
  process.exitCode = await run(electron, [root, ...args]);
} else {
  console.error(
    'locus: Electron is not installed here (npx install-electron downloads it), so the app opens in the browser.',
  );
  process.exitCode = await run(process.execPath, [
    join(root, 'src/cli/locus.ts'),
    'serve',
    ...args,
  ]);
}

/** Runs a program on this terminal, and returns its exit code. */
async function run(program: string, programArgs: string[], cwd = CALLED_FROM): Promise<number> {
  const child = spawn(program, programArgs, { cwd, stdio: 'inherit' });
  // The terminal interrupts the child as well: wait until it has exited.
  process.on('SIGINT', () => {});
  process.once('SIGTERM', () => child.kill());
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
