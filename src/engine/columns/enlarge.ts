export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/**
 * Returns a copy with room for at least `length` elements. Small arrays double. Large ones grow by a quarter, since both
 * copies are in memory for a moment.
 */
export function enlarge<A extends NumberArray | Float32Array>(array: A, length: number): A {
  const grown = array.length < 1 << 20 ? array.length * 2 : Math.ceil(array.length * 1.25);
  const copy = new (array.constructor as new (length: number) => A)(Math.max(grown, length));
  copy.set(array);
  return copy;
}
