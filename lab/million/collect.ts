/**
 * Sources for `npm run lab -- bench-million`: `node lab/million/collect.ts <folder> <clone> [<clone> ...]`
 *
 * Writes what Locus reads of each clone's HEAD into `<folder>/<name>`, in UTF-8 and without its history. A file of which the
 * same content was written before, of this or of another clone, is left out, so that no function is counted twice.
 */

import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isIndexedPath, openTree, type SourceEntry } from '../../src/engine/lab.ts';

const [folder, ...clones] = process.argv.slice(2);
if (folder === undefined || clones.length === 0) {
  console.error('usage: node lab/million/collect.ts <folder> <clone> [<clone> ...]');
  process.exit(2);
}

const seen = new Set<string>();
for (const clone of clones) {
  const tree = await openTree(resolve(clone), { revision: 'HEAD' });
  const { entries } = await tree.list(isIndexedPath);
  const fresh = entries.filter(isFirst);
  const target = join(resolve(folder), nameOf(tree.root));
  // A folder that was begun has another name until it is whole.
  if (!existsSync(target)) {
    const begun = `${target}.part`;
    await rm(begun, { recursive: true, force: true });
    for await (const content of tree.read(fresh)) {
      if (!('text' in content)) continue;
      const path = join(begun, content.path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content.text);
    }
    await rename(begun, target);
  }
  await tree.close();
  const megabytes = fresh.reduce((sum, { size }) => sum + size, 0) / 1e6;
  const copies = entries.length - fresh.length;
  console.log(
    `${target}: ${fresh.length} files, ${megabytes.toFixed(1)} MB, ${copies} copies left out`,
  );
}

function isFirst({ hash }: SourceEntry): boolean {
  if (hash === null) return true;
  if (seen.has(hash)) return false;
  seen.add(hash);
  return true;
}

/** `owner+name` for a bare clone at `owner+name/repo`, else the folder's name. */
function nameOf(root: string): string {
  const name = basename(root);
  return name === 'repo' || name === '.git' ? basename(dirname(root)) : name;
}
