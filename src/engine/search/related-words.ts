/**
 * Words of code that go with words of issues: an issue that says `delete` may be about code that says `remove`. A table
 * learned from the commits of many repositories says which (models/related-words-1), so that BM25F can search with them
 * too: query expansion by a statistical thesaurus (Qiu & Frei, "Concept based query expansion", SIGIR 1993).
 */
import table from '../../../models/related-words-1/related-words.json' with { type: 'json' };

/** By word, those that are related to it, and how much: above 0, up to 1. */
const RELATED: ReadonlyMap<string, readonly (readonly (string | number)[])[]> = new Map(
  Object.entries(table.words),
);

/** A word that an issue does not have. */
export interface RelatedWord {
  /** How much it is related to the word, times that word's weight. */
  weight: number;
  /** The word of the issue. */
  of: string;
}

/** What is related to words, by their weights. A word that goes with several counts for the one that gives it the most. */
export function relatedWords(words: ReadonlyMap<string, number>): Map<string, RelatedWord> {
  const related = new Map<string, RelatedWord>();
  for (const [of, own] of words) {
    for (const [word, relation] of RELATED.get(of) ?? []) {
      const weight = own * Number(relation);
      if (words.has(String(word)) || weight <= (related.get(String(word))?.weight ?? 0)) continue;
      related.set(String(word), { weight, of });
    }
  }
  return related;
}
