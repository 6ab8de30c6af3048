import { languageOf } from '../languages/index.ts';
import type { IndexedChunk, SearchIndex } from './types.ts';

export function membersOf(class_: number, index: SearchIndex): number[] {
  return index
    .slotsByPath(index.chunk(class_).path)
    .filter((slot) => index.chunk(slot).parent === class_);
}

/** Returns true if a chunk runs when its class is called. */
export function isConstructor({ name, path, qualifiedName }: IndexedChunk): boolean {
  const className = qualifiedName.split('.').at(-2) ?? '';
  return languageOf(path)?.names.runsOnConstruction(name, className) ?? false;
}
