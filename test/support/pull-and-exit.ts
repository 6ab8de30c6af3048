/**
 * Pulls a shared index and exits, for tests in which a pull is killed:
 * `node pull-and-exit.ts <repository> <data directory> <folder of the shared index> <publisher's key> [count]`.
 * With `count`, the process kills itself when it requests that many parts of the index. Otherwise the test kills it.
 */
import { FolderProcess } from '../../src/services/objects/folder-process.ts';
import { pullInto } from '../shared-index/laptops.ts';

const [root = '', dataDir = '', from = '', publisherKey = '', partCount] = process.argv.slice(2);
if (partCount !== undefined) {
  const { get } = FolderProcess.prototype;
  let partsRequested = 0;
  FolderProcess.prototype.get = function (path, options) {
    if (path.includes('/parts/') && ++partsRequested === Number(partCount))
      process.kill(process.pid, 'SIGKILL');
    return get.call(this, path, options);
  };
}
await pullInto(root, dataDir, from, [publisherKey]);
process.exit(0);
