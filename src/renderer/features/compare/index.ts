/** Two lists side by side: the search before, or another version. */
export { compareWithVersion } from './compare.ts';
