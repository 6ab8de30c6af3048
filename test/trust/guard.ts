/*
 * Watches a program, and all that it starts, from outside: which files it writes and makes, which sockets it opens,
 * which programs it runs. All that is not on the list of what it may do is a violation, whether it succeeded or not.
 */
import { basename, isAbsolute, resolve } from 'node:path';
import {
  type Call,
  fileIn,
  stringIn,
  type Traced,
  type TraceOptions,
  trace,
} from '../support/strace.ts';

/** What a program may touch; everything else it may only read. */
export interface Allowance {
  /** Files and folders that it may write, folders with all that is in them. */
  write: readonly string[];
  /** Whether it may listen on 127.0.0.1. */
  listen?: boolean;
  /** Ports of 127.0.0.1 that it may connect to. */
  connect?: readonly number[];
  /** Whether it may ask the kernel which network interfaces there are. */
  interfaces?: boolean;
  /** Names of programs that it may run, besides this Node and git. */
  run?: readonly string[];
}

export interface Guarded extends Omit<Traced, 'calls'> {
  /** What it did so far that it may not, each thing once. */
  violations(): string[];
}

/** Places of path arguments, each alone or after the descriptor of the folder that it is relative to. */
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

/** Writable to everybody, and no file at all. */
const NO_FILES = ['/dev/null', '/dev/tty'];
/** Where the C library asks for names of users and hosts, on this machine alone. */
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
    // What goes through a ring is not seen here, so that there are none: libuv does without.
    inject: ['io_uring_setup:error=ENOSYS', ...(options.inject ?? [])],
  });
  return {
    ...traced,
    violations: () => [...new Set(calls().flatMap((call) => violations(call, may)))],
  };
}

function violations(call: Call, may: Allowance): string[] {
  const { name, args } = call;
  if (name === 'socket') return socketViolations(args[0], may);
  if (ADDRESSED.includes(name)) return addressViolations(name, args.join(), may);
  if (name.startsWith('execve')) return programViolations(args.map(stringIn), may);
  return writtenPaths(call)
    .filter((path) => !mayWrite(path, may))
    .map((path) => `${name} ${path}`);
}

function socketViolations(family: string, { listen, connect, interfaces }: Allowance): string[] {
  const allowed: Record<string, unknown> = {
    // Where it leads to shows when it is connected.
    AF_UNIX: true,
    AF_INET: listen || connect,
    AF_INET6: listen || connect,
    AF_NETLINK: interfaces,
  };
  return allowed[family] ? [] : [`socket ${family}`];
}

/** Addresses stand as `sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")` or `sun_path="/run/socket"`. */
function addressViolations(name: string, args: string, may: Allowance): string[] {
  return Array.from(args.matchAll(/\{sa_family=(AF_\w+)([^}]*)/g)).flatMap(([, family, rest]) => {
    const text = stringIn(/@?"(?:[^"\\]|\\.)*"/.exec(rest)?.[0]);
    if (family === 'AF_UNIX' && text === NAME_SERVICE) return [];
    const port = Number(/sin6?_port=htons\((\d+)\)/.exec(rest)?.[1]);
    const allowed = name === 'bind' ? may.listen : may.connect?.includes(port);
    if (family === 'AF_NETLINK' && may.interfaces) return [];
    return family === 'AF_INET' && text === '127.0.0.1' && allowed
      ? []
      : [`${name} ${family} ${text ?? rest}${port ? ` port ${port}` : ''}`];
  });
}

function programViolations([path, folderOrPath]: (string | null)[], { run = [] }: Allowance) {
  const program = path ?? folderOrPath ?? 'unknown';
  const allowed = [basename(process.execPath), 'git', ...run].includes(basename(program));
  return allowed ? [] : [`execve ${program}`];
}

/** Paths that a call writes, as absolute ones; one relative to a folder that is not known stays as it is. */
function writtenPaths(call: Call): string[] {
  const { name, args, result } = call;
  if (CHANGES_OPEN.includes(name)) return [fileIn(args[0]) ?? args[0]];
  const opens = OPENS[name];
  if (!opens) return (CHANGES[name] ?? []).map((place) => pathAt(call, place));
  if (!WRITES.test(args[opens.flags])) return [];
  // A symbolic link may lead elsewhere: what was opened counts too.
  return [pathAt(call, opens.path), fileIn(result) ?? []].flat();
}

function pathAt({ args, cwd }: Call, place: Paths[0]): string {
  const [folder, path] = typeof place === 'number' ? [null, place] : place;
  const above = folder === null ? cwd : fileIn(args[folder]);
  const named = stringIn(args[path]) ?? '';
  return above || isAbsolute(named) ? resolve(above ?? '/', named) : named;
}

function mayWrite(path: string, { write }: Allowance): boolean {
  return [...NO_FILES, ...write].some((place) => path === place || path.startsWith(`${place}/`));
}
