import { readMessage } from '../../../demo/messages.ts';
import { listCommits } from '../../../src/engine/lab.ts';

const LISTED = 400;
/** Minimum number of characters of a message. Shorter ones say too little. */
const SHORTEST = 40;

/** Returns at most `count` of the newest commit messages of a clone, without those that are too short. */
export async function readCommitMessages(root: string, count: number): Promise<string[]> {
  const messages: string[] = [];
  for (const commit of await listCommits(root, 'HEAD', LISTED)) {
    const message = await readMessage(root, commit);
    if (message.length > SHORTEST) messages.push(message);
    if (messages.length === count) break;
  }
  return messages;
}
