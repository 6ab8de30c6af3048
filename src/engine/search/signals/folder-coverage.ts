import { dirname } from 'node:path/posix';
import { coverageOf } from '../measures/coverage.ts';
import type { Signal } from './signal.ts';

/**
 * How many of the title's words the chunk's folder has, as `fileCoverage` counts those of its file; tests, examples,
 * docs and what else is no source apart from what they are about.
 */
export const folderCoverage: Signal = {
  name: 'folderCoverage',
  family: 'place',
  title: 'Its folder has the title’s words',
  ...coverageOf('folder', ({ path, role }) => `${role} ${dirname(path)}`),
};
