import type { SourceTree } from '../../engine/source/types.ts';
import { keepLatest } from '../../shared/keep-latest.ts';
import type { LinesOf } from './instances.ts';

/** Files kept: those of one batch of commits are asked for again and again. */
const KEPT = 64;

/** Reads the lines of files from git's object store, and remembers the latest. Unreadable files have none. */
export function recentLines(tree: SourceTree): LinesOf {
  const recent = new Map<string, Promise<readonly string[]>>();
  return (path, hash) => {
    const key = `${hash} ${path}`;
    const lines = recent.get(key) ?? readLines(tree, path, hash);
    keepLatest(recent, key, lines, KEPT);
    return lines;
  };
}

async function readLines(tree: SourceTree, path: string, hash: string): Promise<readonly string[]> {
  for await (const content of tree.read([{ path, hash, size: 0 }])) {
    if ('text' in content) return content.text.split('\n');
  }
  return [];
}
