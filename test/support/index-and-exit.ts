/** Indexes a repository and exits, for tests that kill it while it works: `node index-and-exit.ts <root> <data dir>`. */
import { openRepository } from '../../src/services/open-repository.ts';

const [root, dataDir] = process.argv.slice(2);
const repository = await openRepository(root, { dataDir, device: 'cpu' });
process.send?.('opened');
await repository.index();
await repository.close();
process.exit(0);
