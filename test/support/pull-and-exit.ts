/**
 * Pulls a shared index and exits, for tests that kill it while it works: `node pull-and-exit.ts <root> <data dir> <from> <key> [part]`.
 * With `part`, it kills itself when it requests the part with that number, counted from 1.
 */
import { FolderProcess } from '../../src/services/objects/folder-process.ts';
import { pullInto } from '../shared-index/laptops.ts';

const [root = '', dataDir = '', from = '', key = '', part] = process.argv.slice(2);
if (part !== undefined) {
  const { get } = FolderProcess.prototype;
  let requested = 0;
  FolderProcess.prototype.get = function (path, options) {
    if (path.includes('/parts/') && ++requested === Number(part))
      process.kill(process.pid, 'SIGKILL');
    return get.call(this, path, options);
  };
}
await pullInto(root, dataDir, from, [key]);
process.exit(0);
