import { openTree, type SourceFile } from '../../../src/engine/lab.ts';

/** Reads the files of a clone at a revision for which `accepts(path)` is true. Files that cannot be read are left out. */
export async function readSources(
  clone: string,
  revision: string,
  accepts: (path: string) => boolean,
): Promise<SourceFile[]> {
  const tree = await openTree(clone, { revision });
  try {
    const { entries } = await tree.list(accepts);
    const sources: SourceFile[] = [];
    for await (const content of tree.read(entries)) if ('text' in content) sources.push(content);
    return sources;
  } finally {
    await tree.close();
  }
}
