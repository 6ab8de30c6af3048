import type { CallSite, EdgeKind } from '../../shared/types.ts';
import type { FileFacts, ParsedChunk } from '../parse/types.ts';

/** What the resolver knows of one file of a snapshot. */
export interface GraphFile {
  path: string;
  /** Store ids of the file's chunks, parallel to `chunks`. */
  chunkIds: readonly number[];
  chunks: readonly Pick<ParsedChunk, 'qualifiedName' | 'ordinal' | 'name' | 'kind' | 'parent'>[];
  facts: FileFacts;
}

/** A resolved edge between chunks by store id. One edge for each (caller, callee, kind). */
export interface ResolvedEdge {
  caller: number;
  callee: number;
  kind: EdgeKind;
  guess: boolean;
  sites: CallSite[];
}

/**
 * Resolves references to chunks over the files of one snapshot, and keeps up with edits.
 * After any sequence of updates the edges equal those of a resolver built afresh over the same files.
 */
export interface CallResolver {
  /** Adds, replaces or removes (`null`) files; returns the paths whose edges may have changed, those files included. */
  update(files: ReadonlyMap<string, GraphFile | null>): Set<string>;
  /** The edges whose caller is in this file. */
  resolve(path: string): ResolvedEdge[];
}
