/**
 * `npm start [dir]`: opens the desktop app, or the same app in the browser if Electron is missing and nobody wants it. Builds the app first
 * if needed. Further arguments are passed to the app, or to `locus serve`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../src/cli/exit-codes.ts';
import { isCancelled } from '../src/shared/errors.ts';
import { BROWSER, chooseWindow, DESKTOP } from './start/choose-window.ts';

const root = join(import.meta.dirname, '..');
const given = process.argv.slice(2);
const args = given.filter((argument) => argument !== BROWSER && argument !== DESKTOP);
/** Folder in which the user called npm, to resolve relative arguments; npm itself changes to the project. */
const CALLED_FROM = process.env.INIT_CWD ?? process.cwd();

/** Aborted by the first interrupt. The terminal interrupts the running program as well. */
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    if (interruption.signal.aborted) process.exit(EXIT.interrupted);
    interruption.abort(name);
  });

try {
  process.exitCode = await start();
} catch (error) {
  if (!isCancelled(error)) throw error;
  // A question may still wait for input.
  process.exit(EXIT.interrupted);
}

async function start(): Promise<number> {
  if (
    !existsSync(join(root, 'out/main/index.js')) ||
    !existsSync(join(root, 'out/renderer/index.html'))
  ) {
    const builder = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
    const code = await run(process.execPath, [builder, 'build'], root);
    if (code !== 0) return code;
  }
  const { stdin, stderr, env } = process;
  const electron = await chooseWindow({
    ...{ stdin, stderr, env, args: given },
    signal: interruption.signal,
  });
  if (electron !== null) {
    const code = await run(electron, [root, ...args]);
    if (code === 0 || interruption.signal.aborted) return code;
    console.error(
      `locus: The desktop app ended with an error, so the app opens in the browser. npm start -- ${BROWSER} does so at once.`,
    );
  }
  return run(process.execPath, [join(root, 'src/cli/locus.ts'), 'serve', ...args]);
}

/** Runs a program on this terminal until it ends or the user interrupts. Returns its exit code. */
async function run(program: string, programArgs: string[], cwd = CALLED_FROM): Promise<number> {
  const child = spawn(program, programArgs, { cwd, stdio: 'inherit' });
  const stop = () => {
    if (interruption.signal.reason === 'SIGTERM') child.kill();
  };
  interruption.signal.addEventListener('abort', stop, { once: true });
  const [code] = (await once(child, 'exit').catch((error: Error) => {
    console.error(`locus: ${error.message}`);
    return [null];
  })) as [number | null];
  interruption.signal.removeEventListener('abort', stop);
  return code ?? 1;
}
