/**
 * Takes a shared index and exits, for tests that kill it on the way: `node pull-and-exit.ts <root> <data dir> <from> <key> [part]`. With
 * `part`, it kills itself when it asks for the part of that number, from 1.
 */
import { FolderProcess } from '../../src/services/objects/folder-process.ts';
import { pullInto } from '../shared-index/laptops.ts';

const [root = '', dataDir = '', from = '', key = '', part] = process.argv.slice(2);
if (part !== undefined) {
  const { get } = FolderProcess.prototype;
  let asked = 0;
  FolderProcess.prototype.get = function (path, options) {
    if (path.includes('/parts/') && ++asked === Number(part)) process.kill(process.pid, 'SIGKILL');
    return get.call(this, path, options);
  };
}
await pullInto(root, dataDir, from, [key]);
process.exit(0);
