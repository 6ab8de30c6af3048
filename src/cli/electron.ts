/** Starts the desktop app if Electron is installed, in the checkout or beside an installation of Locus by npm. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../base/environment.ts';

/** Folder of Locus's package.json, for `electron <folder>`. */
const APP = fileURLToPath(new URL('../../', import.meta.url));
/** First version with the Chromium that the pages are built for; see electron.vite.config.ts. */
const MIN_ELECTRON = 38;

/**
 * Returns the path of the Electron program; null if it is missing or too old. It does not import `electron`, because that
 * would download the program.
 * @param folder folder of the npm package `electron`; null if it is missing
 */
export function findElectron(
  env: Environment = process.env,
  folder: string | null = findElectronFolder(),
): string | null {
  if (folder === null) return null;
  const pathFile = join(folder, 'path.txt');
  const dist = env.ELECTRON_OVERRIDE_DIST_PATH;
  // The installation writes this file last.
  if (!dist && !existsSync(pathFile)) return null;
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron';
  const program = join(dist || join(folder, 'dist'), name);
  return existsSync(program) ? program : null;
}

/** Returns the folder of the npm package `electron`; null if it is missing or too old. */
export function findElectronFolder(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve('electron/package.json');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    return Number.parseInt(String(version), 10) < MIN_ELECTRON ? null : dirname(manifest);
  } catch {
    // Electron is not installed.
    return null;
  }
}

/** Returns true if this machine has a screen, as far as the environment tells. */
export const hasScreen = ({ DISPLAY, WAYLAND_DISPLAY }: Environment): boolean =>
  process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);

/** Returns the Electron program if it can show a window: the app is built and there is a screen. */
export function findUsableElectron(env: Environment): string | null {
  return hasScreen(env) && existsSync(join(APP, 'out/main/index.js')) ? findElectron(env) : null;
}

/**
 * Runs the desktop app on this terminal until its last window is closed.
 *
 * @param signal stops the app
 * @returns its exit code; 0 if it was interrupted
 * @throws Error if the program cannot be started
 */
export async function runElectron(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const child = spawn(program, [APP, ...args], { stdio: 'inherit' });
  const end = () => child.kill();
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code, by] = await once(child, 'exit');
    if (typeof code === 'number') return code;
    return by === 'SIGINT' || by === 'SIGTERM' ? 0 : 1;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
