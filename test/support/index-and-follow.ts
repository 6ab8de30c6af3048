/** Indexes a folder and watches its files until it is killed: `node index-and-follow.ts <root> <data dir>`. */
import { openRepository } from '../../src/services/open-repository.ts';

const [root, dataDir] = process.argv.slice(2);
const repository = await openRepository(root, { dataDir, device: 'cpu' });
await repository.watch({
  signal: new AbortController().signal,
  onIndexed: (report) => process.send?.(report),
  onUpdate: (update) => process.send?.(update),
  onHealth: ({ failure }) => {
    if (failure) throw failure;
  },
});
