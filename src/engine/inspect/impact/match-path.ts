import type { RepositoryIndex } from '../../snapshot/repository-index.ts';

/** Maximum number of leading folders that are left out, such as `i/` or those above the opened folder. */
const MAX_STRIPPED = 12;

/**
 * Finds the indexed file that a path of a diff names: the path itself, or the path without its first folders. Returns null if the index
 * has no such file, and for absolute paths and paths with `..`.
 */
export function matchPath(index: RepositoryIndex, path: string | null): string | null {
  if (!path) return null;
  const parts = path.replace(/^\.\//, '').split('/');
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || parts.includes('..')) return null;
  for (let first = 0; first < Math.min(parts.length, MAX_STRIPPED); first++) {
    const candidate = parts.slice(first).join('/');
    if (index.getFile(candidate)) return candidate;
  }
  return null;
}
