/**
 * The way to usearch: graphs of small worlds in layers (HNSW; Malkov and Yashunin, arXiv 1603.09320) over rows in eight
 * bits. Its binding filters nothing, gives nothing back and lets no index go that is mapped: what it finds are candidates,
 * which are scored again from the rows.
 */
import type { Index } from 'usearch';
import { log } from '../../base/log.ts';

/** Edges of a node, and candidates that are tried when one is added. By `lab/bench/similar.ts`. */
const CONNECTIVITY = 32;
const EXPANSION_ADD = 128;

export type Hnsw = Index;

/** An empty index for rows of so many numbers; null where usearch has no machine code for this machine. */
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
    // A search for more tries as many as it is to find.
    expansion_search: 64,
    multi: false,
  });
}
