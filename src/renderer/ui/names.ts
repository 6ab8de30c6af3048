/** Splits names into a secondary and a main part. */
import type { ChunkSummary } from '../../shared/chunk.ts';

/** Splits a qualified name: `['Cart.', 'total']`. For module code, returns the file's name. */
export function splitName({
  qualifiedName,
  kind,
  path,
}: Pick<ChunkSummary, 'qualifiedName' | 'kind' | 'path'>): [string, string] {
  if (kind === 'module') return ['', path.slice(path.lastIndexOf('/') + 1)];
  const at = qualifiedName.lastIndexOf('.') + 1;
  return [qualifiedName.slice(0, at), qualifiedName.slice(at)];
}

export function splitPath(path: string): [string, string] {
  const at = path.lastIndexOf('/') + 1;
  return [path.slice(0, at), path.slice(at)];
}
