/**
 * `npm run dev [folder]`: the app in a browser, with hot reload of its pages. `LOCUS_DATA_DIR` says where indexes are
 * kept. The engine is started anew by ending and starting this.
 */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { startDevServer } from './dev-server.ts';

const [folder] = process.argv.slice(2);
/** Where the user is; npm itself goes to the project. */
const CALLED_FROM = process.env.INIT_CWD ?? process.cwd();

const server = await startDevServer({
  open: folder === undefined ? undefined : { root: resolve(CALLED_FROM, folder) },
});
console.log(`Locus is at ${server.url}`);
await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
await server.close();
