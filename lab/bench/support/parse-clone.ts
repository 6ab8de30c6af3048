import {
  type GraphFile,
  isIndexedPath,
  openTree,
  ParserPool,
  type SourceFile,
  unpackFile,
} from '../../../src/engine/lab.ts';

/** Parses all files of a clone at a revision for the call resolver. Returns them by path, in its order. */
export async function parseClone(clone: string, revision: string): Promise<Map<string, GraphFile>> {
  const tree = await openTree(clone, { revision });
  const pool = new ParserPool();
  try {
    const { entries } = await tree.list(isIndexedPath);
    const sources: SourceFile[] = [];
    for await (const content of tree.read(entries)) if ('text' in content) sources.push(content);
    const files = new Map<string, GraphFile>();
    let nextId = 1;
    for await (const file of pool.parse([sources])) {
      const { path, chunks, facts } = unpackFile(file);
      const chunkIds = chunks.map(() => nextId++);
      files.set(path, { path, chunkIds, chunks, facts });
    }
    return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    await pool.close();
    await tree.close();
  }
}
