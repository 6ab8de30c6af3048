/**
 * Returns a value that cannot be missing, such as an array element within bounds or the map entry of a known key.
 * Pass a constant as `what`; a template would be evaluated at every call.
 * @param what name of the value in the error, such as `the term counts of a file`
 * @throws Error if it is missing, which is a defect of the caller and never the user's mistake
 */
export function assertPresent<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`defect: ${what} is missing`);
  return value;
}
