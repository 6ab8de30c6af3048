import { spawn } from 'node:child_process';
import { SMALL_ARENA_VARIABLES, SMALL_HEAP_FLAGS } from '../../shared/small-heaps.ts';

/**
 * Starts the daemon of a data directory as a process of its own. It ends at once if another process answers already.
 */
export function startDaemon(
  { argv, env, execPath }: Pick<NodeJS.Process, 'argv' | 'env' | 'execPath'>,
  data: string,
  root: string,
): void {
  const [, entry = ''] = argv;
  const child = spawn(execPath, [...SMALL_HEAP_FLAGS, entry, 'daemon', root, '--data-dir', data], {
    cwd: data,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...SMALL_ARENA_VARIABLES, ...env },
  });
  // The next command then works alone, too.
  child.on('error', () => {});
  child.unref();
}
