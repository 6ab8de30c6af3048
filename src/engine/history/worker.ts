/* The thread in which commits are read: git prints whole files, which take seconds to go through. */
import { parentPort } from 'node:worker_threads';
import { present } from '../../shared/present.ts';
import { onGit } from '../source/git.ts';
import { type FromReader, type ToReader, toPlain } from './messages.ts';
import { readCommits } from './read-history.ts';

const port = present(parentPort, 'the port of a worker thread');
const stop = new AbortController();

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
    for await (const commits of readCommits(root, hashes, stop.signal))
      post({ type: 'commits', commits });
    post({ type: 'done' });
  } catch (error) {
    post({ type: 'failed', failure: toPlain(error) });
  }
}

function post(message: FromReader): void {
  port.postMessage(message);
}
