import { coverageOf } from '../measures/coverage.ts';
import type { Signal } from './signal.ts';

/**
 * How many of the title's words the chunk's file has, in whichever of its chunks, weighted by their inverse document
 * frequency: the chunk to edit has some of them, and what it works with stands around it.
 */
export const fileCoverage: Signal = {
  name: 'fileCoverage',
  family: 'place',
  title: 'Its file has the title’s words',
  ...coverageOf('file', ({ path }) => path),
};
