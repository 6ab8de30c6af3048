/** Compares the list with that of an earlier search or of another version. */
export { compareWithVersion } from './compare.ts';
