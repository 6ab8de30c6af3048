/** Finds the command that starts `locus mcp` from an agent. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../base/environment.ts';
import { findProgram } from '../../base/programs.ts';
import { PACKAGE } from '../../shared/version.ts';

export interface ServerCommand {
  command: string;
  args: string[];
}

export interface StartedProcess {
  execPath: string;
  argv: readonly string[];
  env: Environment;
  platform: string;
}

export interface ServerCommands {
  /** For agents that run in a terminal, and so find what its PATH has. */
  terminal: ServerCommand;
  /** For desktop apps, which are started without the profile of a shell. */
  desktop: ServerCommand;
  /** For files that other people share: it names no path of this machine. */
  shared: ServerCommand;
}

const CHECKOUT = resolve(fileURLToPath(new URL('../../..', import.meta.url)));

/**
 * Returns the commands for the running program: `locus` if the PATH has it, `npx` if npx runs it, otherwise Node and the program by
 * their paths. Desktop apps always get paths, except of npx.
 */
export function findServerCommands(started: StartedProcess): ServerCommands {
  const script = findScript(started.argv[1] ?? '');
  const shared = { command: 'locus', args: [] };
  if (script.split(sep).includes('_npx')) {
    const npx = { command: 'npx', args: ['-y', PACKAGE] };
    return { terminal: npx, desktop: npx, shared: npx };
  }
  const byPath = { command: started.execPath, args: [script] };
  const isWindows = started.platform === 'win32';
  // On Windows, the programs that npm installs are scripts of a shell, which agents do not start.
  const found = isWindows ? null : findProgram(['locus'], started.env, started.platform);
  const isOurs = found !== null && isSameFile(found, script);
  return { terminal: isOurs ? shared : byPath, desktop: byPath, shared };
}

/** Returns the script that starts Locus again: the one that npm installed, or that of the checkout. */
function findScript(running: string): string {
  const program = join(CHECKOUT, 'bin', 'locus.cjs');
  if (/^(?:locus|locus-edit)(?:\.c?js)?$/.test(basename(running))) return running;
  return existsSync(program) ? program : running;
}

function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    // One of them is missing.
    return false;
  }
}
