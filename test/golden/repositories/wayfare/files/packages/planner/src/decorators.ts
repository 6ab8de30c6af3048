type Method = (...args: unknown[]) => unknown;

/** Keeps what a method returned, by its arguments. */
export function memoize(_target: object, _key: string, descriptor: PropertyDescriptor): void {
  const original: Method = descriptor.value;
  const known = new Map<string, unknown>();
  descriptor.value = function (this: unknown, ...args: unknown[]) {
    const key = JSON.stringify(args);
    if (!known.has(key)) known.set(key, original.apply(this, args));
    return known.get(key);
  };
}
