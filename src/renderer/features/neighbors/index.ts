/** The call graph around a chunk. */
export { EDGE_WORDS } from './words.ts';
