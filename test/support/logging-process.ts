/** Logs from a process, a thread of it, and an error that ends it: `logging-process.ts <data directory> <level>`. */
import { Worker } from 'node:worker_threads';
import type { LogLevel } from '../../src/base/environment.ts';
import { identifyProcess, log, logFailure, openLog } from '../../src/base/log.ts';

const [dataDirectory = '', level = ''] = process.argv.slice(2);
identifyProcess('engine');
// Before it is known where the log is.
log('page-failed', { line: 1 });
openLog(dataDirectory, level as LogLevel);
logFailure(new RangeError('swordfish'));
const thread = new Worker(
  `import('${new URL('../../src/base/log.ts', import.meta.url)}')
    .then(({ log }) => log('page-failed', { line: 2 }));`,
  { eval: true },
);
thread.once('exit', () => {
  throw new SyntaxError('swordfish');
});
