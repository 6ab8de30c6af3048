import { SMALL_ARENAS, SMALL_HEAPS } from '../shared/small-heaps.ts';

/** The commands that read a whole repository, or stay. */
const LARGE: ReadonlySet<string> = new Set(['index', 'watch', 'mcp', 'fleet', 'publish', 'pull']);

/** What is needed of a process. */
export type Replaceable = Pick<NodeJS.Process, 'argv' | 'env' | 'execArgv' | 'execPath'> & {
  execve?: NodeJS.Process['execve'];
};

/**
 * Starts this command anew with small heaps, in the same process, where it is a large one and the system can do that:
 * they cannot be had later. Takes as long as Node's own start.
 */
export function startWithSmallHeaps({ argv, env, execArgv, execPath, execve }: Replaceable): void {
  const [, entry, command] = argv;
  if (!execve || entry === undefined || command === undefined || !LARGE.has(command)) return;
  if (SMALL_HEAPS.every((flag) => execArgv.includes(flag))) return;
  execve(execPath, [execPath, ...execArgv, ...SMALL_HEAPS, ...argv.slice(1)], {
    ...SMALL_ARENAS,
    ...env,
  });
}
