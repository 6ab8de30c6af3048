import { type GraphFile, isIndexedPath, ParserPool, unpackFile } from '../../../src/engine/lab.ts';
import { readSources } from './read-sources.ts';

/** Parses all files of a clone at a revision for the call resolver. Returns them by path, in its order. */
export async function parseClone(clone: string, revision: string): Promise<Map<string, GraphFile>> {
  const sources = await readSources(clone, revision, isIndexedPath);
  const pool = new ParserPool();
  try {
    const files = new Map<string, GraphFile>();
    let nextId = 1;
    for await (const file of pool.parse([sources])) {
      const { path, chunks: all, facts } = unpackFile(file);
      // The graph has no sections.
      const chunks = all.filter(({ kind }) => kind !== 'section');
      const chunkIds = chunks.map(() => nextId++);
      files.set(path, { path, chunkIds, chunks, facts });
    }
    return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    await pool.close();
  }
}
