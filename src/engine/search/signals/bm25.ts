import { measureEach, type Signal } from './signal.ts';

/** BM25F of the words over path, name, signature, docstring and body. */
export const bm25: Signal = {
  name: 'bm25',
  measure: (candidates) => measureEach(candidates, (_, slot) => candidates.lexical[slot]),
  explain(slot, { index, query }) {
    const { fields, terms } = index.lexical.detail(slot, query);
    const byField = fields.map(({ field, score }) => `${field} ${score.toFixed(1)}`);
    const byTerm = terms.slice(0, 5).map(({ term, score }) => `${term} ${score.toFixed(1)}`);
    return { detail: `fields: ${byField.join(', ')}; words: ${byTerm.join(', ')}` };
  },
};
