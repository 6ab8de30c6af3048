import { LRUCache } from 'lru-cache';
import type { SourceTree } from '../../src/engine/lab.ts';
import type { ReadLines } from './instances.ts';

/** Reads the lines of files from git's object store, and remembers the latest. Unreadable files have none. */
export function recentLines(tree: SourceTree): ReadLines {
  // Files of one batch of commits are asked for again and again.
  const recent = new LRUCache<string, Promise<readonly string[]>>({ max: 64 });
  return (path, hash) => {
    const key = `${hash} ${path}`;
    const lines = recent.get(key) ?? readLines(tree, path, hash);
    recent.set(key, lines);
    return lines;
  };
}

async function readLines(tree: SourceTree, path: string, hash: string): Promise<readonly string[]> {
  for await (const content of tree.read([{ path, hash, size: 0 }])) {
    if ('text' in content) return content.text.split('\n');
  }
  return [];
}
