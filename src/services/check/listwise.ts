/**
 * Requests to models that were trained to rank numbered passages, and to answer with identifiers such as `[3] > [1]`. The form is that of
 * RankGPT (Sun et al. 2023; sunnweiwei/RankGPT, commit 0d62bc3), RankZephyr (Pradeep et al. 2023; castorini/rank_llm, 1b3cabb) and
 * SweRankLLM (Reddy et al. 2025; SalesforceAIResearch/SweRank, 694af09): the query before and after the passages, one identifier for each,
 * and the form of the answer at the end. The words are ours. `locus models add --template` takes those of the authors.
 */
import type { ListwiseTemplate } from '../gguf/template.ts';
import type { Candidate } from './candidates.ts';
import type { ChatMessage } from './client.ts';

export const PASSAGES: ListwiseTemplate = {
  system: 'You are an assistant that ranks passages by how relevant they are to a query.',
  prefix:
    'Below are {num} passages, each with a numerical identifier []. Rank them by their relevance to the search query: {query}.\n',
  body: '[{rank}] {candidate}\n',
  suffix: `Search Query: {query}.
Rank the {num} passages above by their relevance to the search query. List all identifiers, the most relevant first. The format of the output is [] > [], such as [2] > [1]. Answer with the ranking alone.`,
};

export const FUNCTIONS: ListwiseTemplate = {
  system: 'You are an assistant that ranks code functions by how likely they cause an issue.',
  prefix:
    'Below are {num} code functions, each with a numerical identifier []. Rank them by how likely they contain the faults that cause the GitHub issue: {query}.\n\n',
  body: '[{rank}] {candidate}\n',
  suffix: `GitHub Issue: {query}.
Rank the {num} code functions above by how likely they contain the faults that cause the GitHub issue. List all identifiers, the most likely first. The format of the output is [] > [], such as [2] > [1]. Answer with the ranking alone.`,
};

export interface ListwiseForm {
  template: ListwiseTemplate;
  /** True for models that were trained with the lines of code, not with texts on one line. */
  keepsLines: boolean;
}

/** Builds the request for a list of candidates, which have the identifiers 1, 2, …. Nothing is put between the template's texts. */
export function buildListwisePrompt(
  { template, keepsLines }: ListwiseForm,
  issue: string,
  candidates: readonly Candidate[],
): ChatMessage[] {
  const values = { num: String(candidates.length), query: withoutIdentifiers(issue) };
  const passages = candidates.map(({ chunk: { path, qualifiedName }, excerpt }, index) => {
    const text = `${path}/${qualifiedName}\n${excerpt}`;
    const candidate = withoutIdentifiers(keepsLines ? text : text.trim().replace(/\s+/g, ' '));
    return fill(template.body, { ...values, rank: String(index + 1), candidate });
  });
  const content = [fill(template.prefix, values), ...passages, fill(template.suffix, values)];
  return [
    { role: 'system', content: template.system },
    { role: 'user', content: content.join('') },
  ];
}

/** Writes `[3]` in a text as `(3)`, as the authors do, so that it does not look like an identifier. */
const withoutIdentifiers = (text: string): string => text.replace(/\[(\d+)\]/g, '($1)');

/** Fills in all values at once, so that nothing in a value is taken for a placeholder. */
const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
