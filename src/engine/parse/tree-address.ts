import { assertPresent } from '../../shared/assert-present.ts';

/** Returns the address of an object of web-tree-sitter in the parser's memory. */
export function getAddress(object: object): number {
  return assertPresent((object as Record<number, number | undefined>)[0], 'address in the parser');
}
