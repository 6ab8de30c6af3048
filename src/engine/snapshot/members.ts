import type { SearchIndex } from './types.ts';

/** The chunks of a class's members. */
export function membersOf(class_: number, index: SearchIndex): number[] {
  return index
    .slotsByPath(index.chunk(class_).path)
    .filter((slot) => index.chunk(slot).parent === class_);
}

/** Whether a method of this name runs when the class is called. */
export function isConstructor(name: string): boolean {
  return /^__(?:init|new|call|post_init)__$/.test(name);
}
