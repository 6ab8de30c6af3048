import type { Reference, References } from '../../shared/call-graph.ts';
import { summarizeChunk } from '../snapshot/address.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Store } from '../store/store.ts';
import { listEdgesFrom } from './neighborhood.ts';

/** Maximum UTF-16 units of a line that are shown. */
const MAX_LINE = 200;

/** Returns references to a chunk, including its own, with their lines; from at most `limit` chunks. */
export function findReferences(
  index: RepositoryIndex,
  store: Store,
  slot: number,
  limit: number,
): References {
  const slots = [...new Set(index.getCallers(slot).map((caller) => caller.slot))];
  const callers = slots
    .map((caller) => ({ caller, summary: summarizeChunk(index.getChunk(caller)) }))
    .sort(({ summary: a }, { summary: b }) => {
      const isLater = Number(a.role !== 'source') - Number(b.role !== 'source');
      return isLater || compare(a.path, b.path) || a.startLine - b.startLine;
    });
  const readLines = createLineReader(index, store);
  const references = callers.slice(0, limit).flatMap(({ caller, summary }): Reference[] => {
    const lines = readLines(summary.path);
    const edges = listEdgesFrom(index, store, caller, (callee) => callee === slot);
    return edges.map(({ kind, guess, sites }) => ({
      caller: summary,
      kind,
      guess,
      sites: sites.map((site) => ({
        ...site,
        text: (lines[site.line - 1] ?? '').trim().slice(0, MAX_LINE),
      })),
    }));
  });
  return {
    to: summarizeChunk(index.getChunk(slot)),
    references,
    hidden: Math.max(0, callers.length - limit),
  };
}

/** Returns a function that reads the lines of indexed files. It caches one file, since callers are sorted by file. */
function createLineReader(
  index: RepositoryIndex,
  store: Store,
): (path: string) => readonly string[] {
  let last: { path: string; lines: string[] } | null = null;
  return (path) => {
    if (last?.path !== path) {
      const file = index.getFile(path);
      const text = file ? store.versions.getContent(file.versionId) : '';
      last = { path, lines: text.split('\n') };
    }
    return last.lines;
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
