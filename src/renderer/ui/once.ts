/** Returns a function that calls `make` the first time, with what it is given then, and returns the same from then on. */
export function once<Given extends unknown[], Made>(
  make: (...given: Given) => Made,
): (...given: Given) => Made {
  let made: { value: Made } | null = null;
  return (...given) => {
    made ??= { value: make(...given) };
    return made.value;
  };
}
