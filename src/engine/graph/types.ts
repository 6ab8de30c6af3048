import type { CallSite, EdgeKind } from '../../shared/call-graph.ts';
import type { Registration } from '../../shared/registration.ts';
import type { Stepwise } from '../event-loop/stepwise.ts';
import type { FileFacts, ReferenceFact } from '../languages/facts.ts';
import type { ParsedChunk } from '../parse/types.ts';

export interface GraphFile {
  path: string;
  /** Store ids of the file's chunks, parallel to `chunks`. */
  chunkIds: readonly number[];
  chunks: readonly Pick<ParsedChunk, 'qualifiedName' | 'ordinal' | 'name' | 'kind' | 'parent'>[];
  facts: FileFacts;
  /** References to bases and decorators, if they are known without reading all references. */
  heritage?: readonly ReferenceFact[];
}

/**
 * A resolved edge between chunks by store id. One edge for each (caller, callee, kind). A chunk that is registered by its own
 * code, such as its decorator, has an edge of the kind `register` to itself.
 */
export interface ResolvedEdge {
  caller: number;
  callee: number;
  kind: EdgeKind;
  guess: boolean;
  sites: CallSite[];
  /** Keys of a registration, parallel to `sites`; left out for other kinds. */
  registered?: Registration[];
}

export interface FileResolution {
  edges: ResolvedEdge[];
  /** Number of steps: the same for the same files, whatever was resolved before. */
  steps: number;
  /** True if a step budget ran out: edges may be missing. */
  cut: boolean;
}

/**
 * Resolves references to chunks over the files of one snapshot, and follows edits.
 * After any sequence of changes, the edges equal those of a new resolver over the same files.
 */
export interface CallResolver {
  put(path: string, file: GraphFile | null): void;
  /** Returns the paths whose edges may have changed since the last call, including changed files themselves. */
  takeAffected(): Stepwise<Set<string>>;
  /** Returns the edges whose caller is in this file; none for an unknown file. */
  resolve(path: string): Stepwise<FileResolution>;
}
