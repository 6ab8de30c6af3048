/** Determines how Locus was started: the folder, the command, and whether it should open a window. */

import { statSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuildServer } from '../services/resident/allowed.ts';
import { PACKAGE } from '../shared/version.ts';
import type { CliHost } from './session.ts';

const PROJECT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Returns true if npm runs this process as a script of this checkout. Child processes inherit npm's variables, so all are checked. */
const isNpmScript = ({ env }: Pick<NodeJS.Process, 'env'>, script: string): boolean =>
  env.npm_lifecycle_event === script &&
  env.npm_package_json === resolve(PROJECT, 'package.json') &&
  env.INIT_CWD !== undefined;

/**
 * Changes to the folder in which `npm run` was called, so that relative paths resolve there. npm starts scripts in the
 * project's folder.
 */
export function enterCallersFolder(script: string): void {
  if (isNpmScript(process, script)) process.chdir(process.env.INIT_CWD ?? '.');
}

/** Returns the words to type before a command to start the same program again, such as `locus`. */
export function getInvocation(started: Pick<NodeJS.Process, 'env' | 'argv'>): string {
  const { env, argv } = started;
  const from = env.INIT_CWD;
  if (from !== undefined && (isNpmScript(started, 'locus') || isNpmScript(started, 'demo'))) {
    const prefix = relative(from, PROJECT);
    return prefix === '' ? 'npm run locus --' : `npm run --prefix ${prefix} locus --`;
  }
  const [, program = ''] = argv;
  if (!/\.(?:ts|cjs)$/.test(program)) return basename(program) === PACKAGE ? PACKAGE : 'locus';
  const folder = getCurrentFolder();
  return `node ${folder === null ? program : relative(folder, program)}`;
}

/** Returns the folder of this process; null if it was deleted. */
export function getCurrentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    // The folder is deleted.
    return null;
  }
}

/** Returns true if a person uses a terminal: neither end is a pipe, and this is not a build server. */
export function hasTerminal({ stdin, stdout, env }: CliHost): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && !isBuildServer(env);
}

/** Returns true if the first word of a command line is a folder, not a command: `.`, `~/src/shop`, or an existing folder. */
export function isFolderArgument(word: string): boolean {
  if (word.startsWith('-') || word.includes('://')) return false;
  if (word === '.' || word === '..' || /[/\\]/.test(word)) return true;
  return statSync(word, { throwIfNoEntry: false })?.isDirectory() === true;
}
