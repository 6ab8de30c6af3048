/** Creates chunks, results and marks as the engine sends them, with defaults for what a test does not specify. */
import type { CallEdge, Neighborhood } from '../../src/shared/call-graph.ts';
import type { ChunkSummary } from '../../src/shared/chunk.ts';
import type { MarkedChunk } from '../../src/shared/marks.ts';
import type { RankedChunk } from '../../src/shared/search.ts';

/** Creates a chunk from its address: by default, a function of one line. */
export function chunk(address: string, more: Partial<ChunkSummary> = {}): ChunkSummary {
  const at = address.lastIndexOf('::');
  const qualifiedName = address.slice(at + 2).replace(/#\d+$/, '');
  return {
    address,
    path: address.slice(0, at),
    qualifiedName,
    ordinal: 0,
    name: qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1),
    kind: qualifiedName === '<module>' ? 'module' : 'function',
    language: 'python',
    role: 'source',
    startLine: 1,
    endLine: 1,
    ...more,
  };
}

/** Creates a ranking of these, best first. */
export function ranking(...chunks: (string | Partial<RankedChunk>)[]): RankedChunk[] {
  return chunks.map((given, at) => {
    const more = typeof given === 'string' ? { address: given } : given;
    const rank = at + 1;
    return {
      ...chunk(more.address ?? `a.py::f${rank}`),
      rank,
      score: 1 / rank,
      evidence: {},
      ...more,
    };
  });
}

/** Creates marks by address; `gone` for a chunk that no longer exists. */
export function marks(
  given: Record<string, { mark: MarkedChunk['mark']; note?: string; gone?: boolean }>,
): Map<string, MarkedChunk> {
  return new Map(
    Object.entries(given).map(([address, { mark, note = '', gone = false }]) => [
      address,
      {
        address,
        mark,
        note,
        updatedAt: '2026-01-01T00:00:00.000Z',
        state: gone ? 'gone' : 'same',
        now: gone ? null : { ...chunk(address), contentHash: '' },
      },
    ]),
  );
}

export const call = (caller: string, callee: string, more: Partial<CallEdge> = {}): CallEdge => ({
  caller,
  callee,
  kind: 'call',
  guess: false,
  sites: [{ line: 1, column: 0 }],
  ...more,
});

/** Returns a neighborhood. The first address is the center; distances are by address. */
export function neighborhood(
  distances: Record<string, number>,
  edges: CallEdge[],
  hidden: Record<string, number> = {},
): Neighborhood {
  const nodes = Object.entries(distances).map(([address, distance]) => ({
    ...chunk(address),
    distance,
    hidden: hidden[address] ?? 0,
  }));
  return { center: nodes[0]?.address ?? '', nodes, edges, note: null };
}
