/** Splits names into a secondary and a main part. */
import type { ChunkSummary } from '../../shared/chunk.ts';
import { getShownName } from '../../shared/shown-name.ts';

/** Splits the shown name: `['Cart.', 'total']`. For module code, returns the file's name. */
export function splitName(
  chunk: Pick<ChunkSummary, 'qualifiedName' | 'shownName' | 'kind' | 'path'>,
): [string, string] {
  const { kind, path } = chunk;
  if (kind === 'module') return ['', path.slice(path.lastIndexOf('/') + 1)];
  const name = getShownName(chunk);
  const at = name.lastIndexOf('.') + 1;
  return [name.slice(0, at), name.slice(at)];
}

export function splitPath(path: string): [string, string] {
  const at = path.lastIndexOf('/') + 1;
  return [path.slice(0, at), path.slice(at)];
}
