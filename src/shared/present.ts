/**
 * A value that is there by construction: an element within bounds, a map's entry under one of its keys.
 * Costs next to nothing where `what` is a constant; a template would be put together at every call.
 * @param what names it in the error, such as `the term counts of a file`
 * @throws Error when it is missing, which is a defect of the caller and never of what a person gave
 */
export function present<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`defect: ${what} is missing`);
  return value;
}
