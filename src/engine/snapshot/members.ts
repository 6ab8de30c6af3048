import { languageOf } from '../languages/index.ts';
import type { IndexedChunk, SearchIndex } from './types.ts';

/** The chunks of a class's members. */
export function membersOf(class_: number, index: SearchIndex): number[] {
  return index
    .slotsByPath(index.chunk(class_).path)
    .filter((slot) => index.chunk(slot).parent === class_);
}

/** Whether a definition runs when the class around it is called. */
export function isConstructor({ name, path }: IndexedChunk): boolean {
  return languageOf(path)?.names.runsOnConstruction(name) ?? false;
}
