/** Returns a function that calls `make` on the first call, and returns the same value on every later call. */
export function once<Args extends unknown[], Result>(
  make: (...args: Args) => Result,
): (...args: Args) => Result {
  let cached: { value: Result } | null = null;
  return (...args) => {
    cached ??= { value: make(...args) };
    return cached.value;
  };
}
