/* The thread in which many commits are read: what git prints takes seconds to go through. */
import { parentPort } from 'node:worker_threads';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { present } from '../../shared/present.ts';
import { onGit } from '../source/git.ts';
import { type FromReader, type ToReader, toPlain } from './messages.ts';
import { CommitReader } from './read-commits.ts';

const port = present(parentPort, 'the port of a worker thread');
const stop = new AbortController();
/** The reader of each repository, which remembers what it read. */
const readers = new Map<string, CommitReader>();

port.on('message', (message: ToReader) => {
  if (message.type === 'read') void read(message.root, message.hashes);
  else {
    stop.abort();
    port.close();
  }
});
onGit((pid, runs) => post({ type: 'git', pid, runs }));

async function read(root: string, hashes: readonly string[]): Promise<void> {
  try {
    const reader = getOrAdd(readers, root, () => new CommitReader(root));
    for await (const commits of reader.read(hashes, stop.signal))
      post({ type: 'commits', commits });
    post({ type: 'done' });
  } catch (error) {
    post({ type: 'failed', failure: toPlain(error) });
  }
}

function post(message: FromReader): void {
  port.postMessage(message);
}
