/**
 * `npm run dev [folder]`: the app in a browser, with hot reload of its pages. `LOCUS_DATA_DIR` is the folder of the
 * indexes. Restart the script to restart the engine.
 */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { startDevServer } from './dev-server.ts';

const [folder] = process.argv.slice(2);
/** Folder in which the user called npm, which itself changes to the project. */
const CALLED_FROM = process.env.INIT_CWD ?? process.cwd();

const server = await startDevServer({
  open: folder === undefined ? undefined : { root: resolve(CALLED_FROM, folder) },
});
console.log(`Locus is running at ${server.url}`);
await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
await server.close();
