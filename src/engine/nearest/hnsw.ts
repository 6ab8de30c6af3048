/**
 * Creates indexes of usearch: hierarchical navigable small worlds (HNSW; Malkov and Yashunin, arXiv 1603.09320) over rows in
 * eight bits. Its Node binding cannot filter, cannot return vectors and cannot unmap an index. Results are candidates, which
 * are scored again from the rows.
 */
import type { Index } from 'usearch';
import { log } from '../../base/log.ts';

/** Edges of a node, and candidates that are tried when adding one. Chosen with `lab/bench/similar.ts`. */
const CONNECTIVITY = 32;
const EXPANSION_ADD = 128;

export type Hnsw = Index;

/** Creates an empty index; null if usearch has no binary for this machine. */
export async function createHnsw(dimensions: number): Promise<Hnsw | null> {
  let library: typeof import('usearch');
  try {
    library = await import('usearch');
  } catch (error) {
    log('ignored', { work: 'load-usearch', error });
    return null;
  }
  return new library.Index({
    dimensions,
    metric: library.MetricKind.IP,
    quantization: library.ScalarKind.I8,
    connectivity: CONNECTIVITY,
    expansion_add: EXPANSION_ADD,
    // A search for more results tries as many candidates as it returns.
    expansion_search: 64,
    multi: false,
  });
}
