/** Worker for `worker.test.ts`: a thread, or a process if started with the argument `process`. */
import { once } from 'node:events';
import {
  createProcessPort,
  createThreadPort,
  markTransfers,
  serveWorker,
  type WorkerCall,
} from '../../src/base/worker-server.ts';
import { LocusError } from '../../src/shared/errors.ts';

let aborted = 0;

const methods = {
  double: (n: number) => 2 * n,
  count: async (to: number, { send }: WorkerCall<number>) => {
    for (let n = 1; n <= to; n++) send(n);
    return 'counted';
  },
  fail: (kind: 'locus' | 'defect') => {
    if (kind === 'locus') throw new LocusError('bad-input', 'It is odd.', 'Send an even one.');
    throw new TypeError('x is undefined');
  },
  wait: async (_: null, { signal }: WorkerCall) => {
    signal.addEventListener('abort', () => aborted++);
    await once(signal, 'abort');
  },
  aborted: (_: null) => aborted,
  bytes: (length: number) => {
    const bytes = new Uint8Array(length).fill(7);
    return markTransfers(bytes, [bytes.buffer]);
  },
  die: (_: null) => process.exit(3),
};

export type SampleMethods = typeof methods;

const tell = serveWorker(
  process.argv.includes('process') ? createProcessPort() : createThreadPort(),
  methods,
  {
    onClose: async () => tell('closing'),
  },
);
