import { readMessage } from '../../../demo/messages.ts';
import { listCommits } from '../../../src/engine/lab.ts';

const LISTED = 400;
/** Characters of one that says something. */
const SHORTEST = 40;

/** The newest commit messages of a clone that say something, at most `count`. */
export async function commitMessages(root: string, count: number): Promise<string[]> {
  const messages: string[] = [];
  for (const commit of await listCommits(root, 'HEAD', LISTED)) {
    const message = await readMessage(root, commit);
    if (message.length > SHORTEST) messages.push(message);
    if (messages.length === count) break;
  }
  return messages;
}
