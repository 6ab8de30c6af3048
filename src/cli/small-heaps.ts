import { SMALL_ARENA_VARIABLES, SMALL_HEAP_FLAGS } from '../shared/small-heaps.ts';

/** Commands that read a whole repository or keep running. */
const LARGE_COMMANDS: ReadonlySet<string> = new Set([
  'index',
  'watch',
  'mcp',
  'daemon',
  'fleet',
  'publish',
  'pull',
]);

/** Part of `process` that restarting needs. */
export type RestartableProcess = Pick<NodeJS.Process, 'argv' | 'env' | 'execArgv' | 'execPath'> & {
  execve?: NodeJS.Process['execve'];
};

/**
 * Restarts a large command with small heaps, in the same process, if the system has `execve`. Node accepts these flags only
 * at its start. This takes as long as Node's own start.
 */
export function startWithSmallHeaps({
  argv,
  env,
  execArgv,
  execPath,
  execve,
}: RestartableProcess): void {
  const [, entry, command] = argv;
  if (!execve || entry === undefined || command === undefined || !LARGE_COMMANDS.has(command))
    return;
  if (SMALL_HEAP_FLAGS.every((flag) => execArgv.includes(flag))) return;
  execve(execPath, [execPath, ...execArgv, ...SMALL_HEAP_FLAGS, ...argv.slice(1)], {
    ...SMALL_ARENA_VARIABLES,
    ...env,
  });
}
