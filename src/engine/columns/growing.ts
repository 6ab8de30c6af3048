export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** A copy with room for `length` elements and some more: small ones double, large ones, of which two are held meanwhile, grow by a quarter. */
export function enlarged<A extends Numbers | Float32Array>(array: A, length: number): A {
  const room = array.length < 1 << 20 ? array.length * 2 : Math.ceil(array.length * 1.25);
  const copy = new (array.constructor as new (length: number) => A)(Math.max(room, length));
  copy.set(array);
  return copy;
}
