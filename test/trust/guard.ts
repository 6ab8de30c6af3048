/*
 * Watches a program and all its child processes from outside: the files that it writes and creates, the sockets that it
 * opens, and the programs that it runs. Anything that is not allowed is a violation, even if it fails.
 */
import { basename, isAbsolute, resolve } from 'node:path';
import {
  type Call,
  readDescriptorPath,
  readString,
  type Traced,
  type TraceOptions,
  trace,
} from '../support/strace.ts';

/** Actions that a program is allowed besides reading files. */
export interface Allowance {
  /** Files, and folders with all their contents, that it may write, and in which it may use sockets. */
  write: readonly string[];
  /** True if it may listen on 127.0.0.1. */
  listen?: boolean;
  /** Ports of 127.0.0.1 that it may connect to. */
  connect?: readonly number[];
  /** True if it may ask the kernel for the network interfaces. */
  interfaces?: boolean;
  /** Names of programs that it may run, besides this Node and git. */
  run?: readonly string[];
}

export interface Guarded extends Omit<Traced, 'calls'> {
  /** Returns its violations so far, each once. */
  violations(): string[];
}

/** Indices of path arguments, each alone or with the index of the descriptor of its folder. */
type Paths = readonly (number | readonly [folder: number, path: number])[];

/** Calls that change a file or folder by name. */
const CHANGES: Readonly<Record<string, Paths>> = {
  creat: [0],
  truncate: [0],
  mkdir: [0],
  mkdirat: [[0, 1]],
  mknod: [0],
  mknodat: [[0, 1]],
  rmdir: [0],
  unlink: [0],
  unlinkat: [[0, 1]],
  rename: [0, 1],
  renameat: [
    [0, 1],
    [2, 3],
  ],
  renameat2: [
    [0, 1],
    [2, 3],
  ],
  link: [0, 1],
  linkat: [
    [0, 1],
    [2, 3],
  ],
  symlink: [1],
  symlinkat: [[1, 2]],
  chmod: [0],
  fchmodat: [[0, 1]],
  fchmodat2: [[0, 1]],
  chown: [0],
  lchown: [0],
  fchownat: [[0, 1]],
  utime: [0],
  utimes: [0],
  futimesat: [[0, 1]],
  utimensat: [[0, 1]],
  setxattr: [0],
  lsetxattr: [0],
  removexattr: [0],
  lremovexattr: [0],
};

/** Calls that change a file by a descriptor that may have been opened for reading. */
const CHANGES_OPEN = ['fchmod', 'fchown', 'fsetxattr', 'fremovexattr'];
const OPENS: Readonly<Record<string, { path: Paths[0]; flags: number }>> = {
  open: { path: 0, flags: 1 },
  openat: { path: [0, 1], flags: 2 },
  openat2: { path: [0, 1], flags: 2 },
};
const WRITES = /O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)/;
/** Calls with an address in one of their arguments. */
const ADDRESSED = ['connect', 'bind', 'sendto', 'sendmsg', 'sendmmsg'];
const WATCHED = [
  ...['socket', ...ADDRESSED, 'execve', 'execveat', 'io_uring_setup'],
  ...[...Object.keys(OPENS), ...Object.keys(CHANGES), ...CHANGES_OPEN].map((name) => `?${name}`),
];

/** Devices that everybody may write to. */
const NO_FILES = ['/dev/null', '/dev/tty'];
/** Local socket at which the C library looks up names of users and hosts. */
const NAME_SERVICE = '/var/run/nscd/socket';

/** Starts a program and watches it. */
export function guard(
  command: readonly string[],
  may: Allowance,
  options: Omit<TraceOptions, 'calls'>,
): Guarded {
  const { calls, ...traced } = trace(command, {
    ...options,
    calls: WATCHED,
    // strace does not see calls through io_uring, so it is disabled. libuv works without it.
    inject: ['io_uring_setup:error=ENOSYS', ...(options.inject ?? [])],
  });
  return {
    ...traced,
    violations: () => [...new Set(calls().flatMap((call) => violations(call, may)))],
  };
}

function violations(call: Call, may: Allowance): string[] {
  const { name, args } = call;
  if (name === 'socket') return findSocketViolations(args[0], may);
  if (ADDRESSED.includes(name)) return findAddressViolations(name, args.join(), may);
  if (name.startsWith('execve')) return findProgramViolations(args.map(readString), may);
  return listWrittenPaths(call)
    .filter((path) => !mayWrite(path, may))
    .map((path) => `${name} ${path}`);
}

function findSocketViolations(
  family: string,
  { listen, connect, interfaces }: Allowance,
): string[] {
  const allowed: Record<string, unknown> = {
    // The destination is checked at `connect`.
    AF_UNIX: true,
    AF_INET: listen || connect,
    AF_INET6: listen || connect,
    AF_NETLINK: interfaces,
  };
  return allowed[family] ? [] : [`socket ${family}`];
}

/** Checks addresses, which strace prints as `sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")` or `sun_path="/run/socket"`. */
function findAddressViolations(name: string, args: string, may: Allowance): string[] {
  return Array.from(args.matchAll(/\{sa_family=(AF_\w+)([^}]*)/g)).flatMap(([, family, rest]) => {
    const text = readString(/@?"(?:[^"\\]|\\.)*"/.exec(rest)?.[0]);
    if (family === 'AF_UNIX' && text && (text === NAME_SERVICE || mayWrite(text, may))) return [];
    const port = Number(/sin6?_port=htons\((\d+)\)/.exec(rest)?.[1]);
    const allowed = name === 'bind' ? may.listen : may.connect?.includes(port);
    if (family === 'AF_NETLINK' && may.interfaces) return [];
    return family === 'AF_INET' && text === '127.0.0.1' && allowed
      ? []
      : [`${name} ${family} ${text ?? rest}${port ? ` port ${port}` : ''}`];
  });
}

function findProgramViolations([path, folderOrPath]: (string | null)[], { run = [] }: Allowance) {
  const program = path ?? folderOrPath ?? 'unknown';
  const allowed = [basename(process.execPath), 'git', ...run].includes(basename(program));
  return allowed ? [] : [`execve ${program}`];
}

/** Returns the absolute paths that a call writes. A path relative to an unknown folder stays as it is. */
function listWrittenPaths(call: Call): string[] {
  const { name, args, result } = call;
  if (CHANGES_OPEN.includes(name)) return [readDescriptorPath(args[0]) ?? args[0]];
  const opens = OPENS[name];
  if (!opens) return (CHANGES[name] ?? []).map((place) => readPath(call, place));
  if (!WRITES.test(args[opens.flags])) return [];
  // A symbolic link may lead elsewhere, so the opened file counts too.
  return [readPath(call, opens.path), readDescriptorPath(result) ?? []].flat();
}

function readPath({ args, cwd }: Call, place: Paths[0]): string {
  const [folder, path] = typeof place === 'number' ? [null, place] : place;
  const above = folder === null ? cwd : readDescriptorPath(args[folder]);
  const named = readString(args[path]) ?? '';
  return above || isAbsolute(named) ? resolve(above ?? '/', named) : named;
}

function mayWrite(path: string, { write }: Allowance): boolean {
  return [...NO_FILES, ...write].some((place) => path === place || path.startsWith(`${place}/`));
}
