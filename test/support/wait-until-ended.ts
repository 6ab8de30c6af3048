import { readFileSync } from 'node:fs';

/** Waits until a process is gone. A killed one may stay as a zombie until its parent has read its status. */
export async function waitUntilEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      if (/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return;
    } catch {
      return;
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}
