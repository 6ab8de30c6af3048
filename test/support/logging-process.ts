/** Logs from a process and from one of its threads, then dies of an error: `logging-process.ts <data directory> <level>`. */
import { Worker } from 'node:worker_threads';
import type { LogLevel } from '../../src/base/environment.ts';
import { identifyProcess, log, logFailure, openLog } from '../../src/base/log.ts';

const [dataDirectory = '', level = ''] = process.argv.slice(2);
identifyProcess('engine');
// Before the log is opened.
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
