import { measureEach } from '../measures/candidates.ts';
import { coverageBy, type GroupOf } from '../measures/coverage.ts';
import { asNumber } from '../measures/format.ts';
import { inSentence, tellingWords } from '../measures/words.ts';
import type { Signal } from './signal.ts';

const groupOf: GroupOf = ({ path }) => path;
const coverage = coverageBy(groupOf);

/**
 * How many of the title's words the chunk's file has, in whichever of its chunks, weighted by their inverse document
 * frequency: the chunk to edit has some of them, and what it works with stands around it.
 */
export const fileCoverage: Signal = {
  name: 'fileCoverage',
  family: 'place',
  title: 'Its file has the title’s words',
  measure(candidates) {
    const made = coverage(candidates);
    return measureEach(candidates, (chunk) => made.weightOf(groupOf(chunk)));
  },
  format: asNumber(1),
  explain({ slot, candidates }) {
    const has = coverage(candidates).wordsOf(groupOf(candidates.index.chunks[slot]!));
    const words = tellingWords(has);
    return { sentence: `its file has the title's ${inSentence(words, 'words')}`, words };
  },
};
