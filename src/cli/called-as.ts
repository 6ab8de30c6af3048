/** The way Locus was started: the folder, the command, and whether it should open a window. */

import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Host } from './session.ts';

const PROJECT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Whether this process is a script of this checkout that npm runs. What npm says is passed on to all that it starts. */
const runByNpm = ({ env }: Pick<NodeJS.Process, 'env'>, script: string): boolean =>
  env.npm_lifecycle_event === script &&
  env.npm_package_json === resolve(PROJECT, 'package.json') &&
  env.INIT_CWD !== undefined;

/**
 * Goes to the folder in which `npm run` was called, which relative paths are meant from: npm itself starts scripts in
 * the project.
 */
export function enterCallersFolder(script: string): void {
  if (runByNpm(process, script)) process.chdir(process.env.INIT_CWD ?? '.');
}

/** What has to be typed in front of a command to start the same program again. */
export function calledAs(started: Pick<NodeJS.Process, 'env' | 'argv'>): string {
  const { env, argv } = started;
  const from = env.INIT_CWD;
  if (from !== undefined && (runByNpm(started, 'locus') || runByNpm(started, 'demo'))) {
    const place = relative(from, PROJECT);
    return place === '' ? 'npm run locus --' : `npm run --prefix ${place} locus --`;
  }
  const [, program = ''] = argv;
  if (!program.endsWith('.ts')) return 'locus';
  const folder = currentFolder();
  return `node ${folder === null ? program : relative(folder, program)}`;
}

/** The folder that this process is in; null where it is deleted. */
export function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    // The folder is deleted.
    return null;
  }
}

/** Returns true if a person uses a terminal: neither end is a pipe, and no build server imitates one. */
export function hasTerminal({ stdin, stdout, env }: Host): boolean {
  const buildServer = env.CI !== undefined && !['', '0', 'false'].includes(env.CI);
  return stdin.isTTY === true && stdout.isTTY === true && !buildServer;
}

/** Returns true if the first word of a command line is a folder and not a command: `.`, `~/src/shop`, or the name of one here. */
export function namesFolder(word: string): boolean {
  if (word.startsWith('-') || word.includes('://')) return false;
  if (word === '.' || word === '..' || /[/\\]/.test(word)) return true;
  return statSync(word, { throwIfNoEntry: false })?.isDirectory() === true;
}
