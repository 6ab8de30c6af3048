/** The system's sandbox, in which an agent may read files and use the network, but change nothing except its own files. */
import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';

import { isInside } from '../../base/folders.ts';
import { findProgram } from '../../base/programs.ts';
import type { SandboxName } from '../../shared/investigate.ts';

export interface Sandbox {
  name: SandboxName;
  /** Path of the program. */
  program: string;
}

export interface SandboxPaths {
  /** Working folder of the agent, which it may change. */
  folder: string;
  /** Files and folders that it may change, if they exist. */
  writable: readonly string[];
  /** Files and folders that it needs, even if they are in a hidden folder. */
  readable: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const PROBE_MS = 10_000;
/** Folders with sockets and files of other programs, through which an agent could act outside of the sandbox. */
const HIDDEN = ['/tmp', '/var/tmp', '/run'];
/** Parts of `/run` that programs need: addresses of name servers, and the programs of NixOS. */
const NEEDED_OF_RUN = ['systemd/resolve', 'resolvconf', 'NetworkManager', 'current-system'];

/** Returns the sandbox of this system; null if it is not installed or does not work, as in some containers. */
export async function findSandbox(env: Environment, platform: string): Promise<Sandbox | null> {
  const name = platform === 'linux' ? 'bwrap' : platform === 'darwin' ? 'sandbox-exec' : null;
  const program = name && findProgram([name], env, platform);
  if (!name || !program) return null;
  const sandbox = { name, program } as const;
  const paths = { folder: realpathSync(tmpdir()), writable: [], readable: [] };
  try {
    await promisify(execFile)(program, wrapInSandbox(sandbox, paths, ['/bin/sh', '-c', ':']), {
      timeout: PROBE_MS,
    });
    return sandbox;
  } catch {
    // Unprivileged sandboxes are turned off.
    return null;
  }
}

/** Returns the arguments with which the sandbox's program runs a command. */
export function wrapInSandbox(
  { name }: Sandbox,
  paths: SandboxPaths,
  command: readonly string[],
): string[] {
  return name === 'bwrap'
    ? [...listBwrapOptions(paths), '--', ...command]
    : ['-p', writeProfile(paths), ...command];
}

function listBwrapOptions({ folder, writable, readable }: SandboxPaths): string[] {
  const temporary = realpathSync(tmpdir());
  const hidden = [...new Set([...HIDDEN, temporary])].filter((path) => existsSync(path));
  const needed = new Set(
    hidden.flatMap((parent) => readable.flatMap((path) => findFirstFolder(parent, path))),
  );
  return [
    // The agent, and all that it starts, ends with the sandbox, and has no capabilities.
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...hidden.flatMap((path) => ['--tmpfs', path]),
    ...NEEDED_OF_RUN.flatMap((name) => bind('--ro-bind-try', join('/run', name))),
    ...[...needed].flatMap((path) => bind('--ro-bind-try', path)),
    ...writable.flatMap((path) => bind('--bind-try', path)),
    ...bind('--bind', folder),
    ...['--chdir', folder, '--setenv', 'TMPDIR', temporary],
  ];
}

const bind = (option: string, path: string): string[] => [option, path, path];

/** Returns the folder directly inside `parent` that contains a path; none if the path is elsewhere. */
function findFirstFolder(parent: string, path: string): string[] {
  if (!isInside(path, parent)) return [];
  const [first] = relative(parent, path).split(sep);
  return first ? [join(parent, first)] : [];
}

/** Writes a profile for macOS. Other apps could otherwise be asked to act outside of the sandbox. */
function writeProfile({ folder, writable }: SandboxPaths): string {
  const paths = [folder, ...writable].map((path) => `(subpath ${JSON.stringify(path)})`);
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* ${paths.join(' ')} (regex #"^/dev/(null|zero|tty|dtracehelper)$"))`,
    '(deny appleevent-send)',
    '(deny lsopen)',
  ].join('\n');
}
