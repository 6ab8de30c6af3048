/** Child process that reads and writes the objects of one folder for its parent: `folder-server.ts <folder> [expected]`. */
import { createProcessPort, serveWorker, type WorkerCall } from '../../base/worker-server.ts';
import { FolderObjects } from './folder-objects.ts';

const [folder = '', expected] = process.argv.slice(2);
const objects = new FolderObjects(folder, { expected: expected === 'expected' });

const methods = {
  get: (
    { key, maxBytes }: { key: string; maxBytes: number | undefined },
    { signal, send }: WorkerCall<number>,
  ) => objects.get(key, { maxBytes, signal, onBytes: send }),
  size: ({ key }: { key: string }, { signal }: WorkerCall) => objects.size(key, signal),
  put: (
    { key, bytes, expected }: { key: string; bytes: Uint8Array; expected: string | null },
    { signal }: WorkerCall,
  ) => objects.put(key, bytes, expected, signal),
  delete: ({ key }: { key: string }) => objects.delete(key),
};

export type FolderMethods = typeof methods;

serveWorker(createProcessPort(), methods);
// The parent handles interrupts for both.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
// A thread that is stuck in the folder would block an orderly exit.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
