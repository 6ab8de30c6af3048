/**
 * Indexes a folder with `SmallProcess`. With `follow`, watches its files until it is killed:
 * `node small-writer.ts <root> <data dir> [follow]`. It starts in a fraction of the time that the whole engine takes.
 */
import { join } from 'node:path';
import { createFolder } from '../../src/base/private.ts';
import { isIndexedPath } from '../../src/engine/languages/index.ts';
import { openTree } from '../../src/engine/source/open.ts';
import { watchTree } from '../../src/engine/source/watch.ts';
import { SmallProcess } from './small-index.ts';

const [root, dataDir, follow] = process.argv.slice(2);
const directory = join(dataDir, 'repositories', 'small');
createFolder(directory);
const small = new SmallProcess(directory, await openTree(root, {}), Math.random);
if (follow) {
  const fail = (error: Error) => {
    throw error;
  };
  await watchTree(root, {
    accepts: isIndexedPath,
    signal: small.abort.signal,
    onReady: () =>
      void small
        .run(small.abort.signal, true)
        .then(() => small.following.prepareEdits())
        .catch(fail),
    onChange: (batch) => void small.following.apply(batch).catch(fail),
    onHealth: ({ failure, warning }) => {
      const error = failure ?? warning;
      if (error) fail(error);
    },
  });
}
await small.run();
await small.close();
process.exit(0);
