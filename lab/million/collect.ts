/**
 * Collects sources for `npm run lab -- bench-million`: `node lab/million/collect.ts <folder> <clone> [<clone> ...]`
 *
 * Writes the files of each clone's HEAD that Locus reads into `<folder>/<name>`, in UTF-8 and without its history. Skips a file
 * if the same content was written before, from this or another clone, so that no function counts twice.
 */

import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isIndexedPath, openTree, type SourceEntry } from '../../src/engine/lab.ts';

const [folder, ...clones] = process.argv.slice(2);
if (folder === undefined || clones.length === 0) {
  console.error('usage: npx node lab/million/collect.ts <folder> <clone> [<clone> ...]');
  process.exit(2);
}

const seen = new Set<string>();
for (const clone of clones) {
  const tree = await openTree(resolve(clone), { revision: 'HEAD' });
  const { entries } = await tree.list(isIndexedPath);
  const fresh = entries.filter(isFirst);
  const target = join(resolve(folder), nameOf(tree.root));
  // A folder has another name until it is complete.
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
    `${target}: ${fresh.length} files, ${megabytes.toFixed(1)} MB, ${copies} copies skipped`,
  );
}

function isFirst({ hash }: SourceEntry): boolean {
  if (hash === null) return true;
  if (seen.has(hash)) return false;
  seen.add(hash);
  return true;
}

/** Returns `owner+name` for a bare clone at `owner+name/repo`, else the folder's name. */
function nameOf(root: string): string {
  const name = basename(root);
  return name === 'repo' || name === '.git' ? basename(dirname(root)) : name;
}
