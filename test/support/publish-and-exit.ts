/** Publishes a commit and exits, for tests that kill it after it sends `publishing`: `node publish-and-exit.ts <root> <data dir> <to>`. */
import { publishFrom } from '../shared-index/laptops.ts';

const [root = '', dataDir = '', to = ''] = process.argv.slice(2);
await publishFrom(root, dataDir, to, { onIndexed: () => process.send?.('publishing') });
process.exit(0);
