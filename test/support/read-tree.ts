/**
 * Reads a folder, or its commit in the second argument, as indexing does, and prints the outcome as JSON. It is a
 * separate process, because a process that waits for a pipe cannot be stopped from inside.
 */
import { readCommits } from '../../src/engine/history/read-commits.ts';
import { listCommits } from '../../src/engine/history/read-history.ts';
import { openTree } from '../../src/engine/source/open.ts';

const [root = '', revision] = process.argv.slice(2);
try {
  const tree = await openTree(root, { revision });
  const { entries, skipped } = await tree.list((path) => path.endsWith('.py'));
  const texts: Record<string, string> = {};
  for await (const content of tree.read(entries)) {
    if ('text' in content) texts[content.path] = content.text;
    else skipped.push(content.skipped);
  }
  const head = await tree.getHead();
  let commits = 0;
  if (head) {
    const history = await listCommits(tree.root, head, 100);
    for await (const some of readCommits(tree.root, history)) commits += some.length;
  }
  await tree.close();
  console.log(JSON.stringify({ texts, skipped, commits }));
} catch (error) {
  const { code, message, remedy } = error as { code?: string; message: string; remedy?: string };
  console.log(JSON.stringify({ error: { code, message, remedy } }));
}
