/** Reads commits in a thread and exits once git has written its process id to the file: `node read-and-exit.ts <root> <file>`. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HistoryThread } from '../../src/engine/history/history-thread.ts';

const [root = '', file = ''] = process.argv.slice(2);
const thread = new HistoryThread();
thread
  .read(root, ['0'.repeat(40)])
  .next()
  .catch(() => {});
while (thread.gitPids.size === 0 || !existsSync(file)) await sleep(10);
process.exit(0);
