/** Words as evidence. */
import type { WordScore } from '../../../shared/evidence.ts';
import { issueSyntaxOf } from '../../issue/syntaxes.ts';
import type { LexicalQuery } from '../../lexical/lexical-index.ts';
import { queryTerms } from '../../lexical/tokenize.ts';
import type { SearchIndex } from '../../snapshot/types.ts';

/** Evidence lists so many words. */
const LISTED = 5;
/** A sentence has so many. */
const IN_SENTENCE = 3;

/** Words that no reader takes for a reason, though BM25 counts them. */
const FILLERS = new Set(
  (
    'a about after all also am an and any are as at be been but by can com could did do does etc for from had has ' +
    'have how http https i if in into is it its just like may me my no not of on only or org other our out s should ' +
    'so some such t than that the their them then there these they this to too up us use used using via was we were ' +
    'what when where which while who why will with would www you your'
  ).split(' '),
);

/** Whether a word says anything to a person: not a single letter, a number, or a filler. */
export function isTelling(word: string): boolean {
  return [...word].length > 1 && !/^[\d_]+$/.test(word) && !FILLERS.has(word);
}

/** The words of a text that say anything, once each. */
export function tellingOf(text: string): string[] {
  return [...queryTerms(text).keys()].filter(isTelling);
}

/** The strongest telling words, of a list that has the strongest first. */
export function tellingWords(
  words: readonly { term: string; score: number; of?: string }[],
): WordScore[] {
  return words
    .filter(({ term }) => isTelling(term))
    .slice(0, LISTED)
    .map(({ term, ...rest }) => ({ word: term, ...rest }));
}

/** `` `max_delay` `retry` ``, or what to say where no word tells anything. */
export function inSentence(words: readonly WordScore[], otherwise: string): string {
  const shown = words.slice(0, IN_SENTENCE).map(({ word }) => `\`${word}\``);
  return shown.join(' ') || otherwise;
}

/** What words and fields of a chunk make its score for a query; a keyword of its language is no reason to a reader. */
export function lexicalEvidence(slot: number, query: LexicalQuery, index: SearchIndex) {
  const { fields, terms } = index.lexical.detail(slot, query);
  const keywords = issueSyntaxOf(index.chunk(slot).language)?.words?.keywords;
  return { fields, words: tellingWords(terms.filter(({ term }) => !keywords?.has(term))) };
}
