import { findLanguage } from '../languages/index.ts';
import type { IndexedChunk, SearchIndex } from './types.ts';

export function getMembers(class_: number, index: SearchIndex): number[] {
  return index
    .getSlotsByPath(index.getChunk(class_).path)
    .filter((slot) => index.getChunk(slot).parent === class_);
}

/** Returns true if a chunk runs when its class is called. */
export function isConstructor({ name, path, qualifiedName }: IndexedChunk): boolean {
  const className = qualifiedName.split('.').at(-2) ?? '';
  return findLanguage(path)?.names.runsOnConstruction(name, className) ?? false;
}
