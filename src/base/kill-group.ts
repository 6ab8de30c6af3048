import type { ChildProcess } from 'node:child_process';

/** Kills a process that was started `detached`, and on other systems than Windows everything that it started. Does nothing if all have ended. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}
