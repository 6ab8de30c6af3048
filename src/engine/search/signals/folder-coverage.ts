import { dirname } from 'node:path/posix';
import { measureEach } from '../measures/candidates.ts';
import { coverageBy, type GroupOf } from '../measures/coverage.ts';
import { asNumber } from '../measures/format.ts';
import { inSentence, tellingWords } from '../measures/words.ts';
import type { Signal } from './signal.ts';

/** Tests, examples and docs apart from what they are about. */
const groupOf: GroupOf = ({ path, role }) => `${role} ${dirname(path)}`;
const coverage = coverageBy(groupOf);

/** How many of the title's words the chunk's folder has, as `fileCoverage` counts those of its file. */
export const folderCoverage: Signal = {
  name: 'folderCoverage',
  family: 'place',
  title: 'Its folder has the title’s words',
  measure(candidates) {
    const made = coverage(candidates);
    return measureEach(candidates, (chunk) => made.weightOf(groupOf(chunk)));
  },
  format: asNumber(1),
  explain({ slot, candidates }) {
    const has = coverage(candidates).wordsOf(groupOf(candidates.index.chunks[slot]!));
    const words = tellingWords(has);
    return { sentence: `its folder has the title's ${inSentence(words, 'words')}`, words };
  },
};
