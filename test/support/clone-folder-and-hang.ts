/** Makes the folder of a clone and keeps running, for tests that kill it: `node clone-folder-and-hang.ts <parent>`. */
import { makeCloneFolder } from '../../src/services/fleet/clone-folder.ts';

const [, , parent = ''] = process.argv;
const { path } = await makeCloneFolder(parent);
process.send?.(path);
setInterval(() => {}, 60_000);
