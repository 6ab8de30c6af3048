import type { Encoder } from '../encode/types.ts';
import type { Issue } from '../issue/issue.ts';
import { issueQuery, proseQuery } from '../issue/queries.ts';

/** Embeddings of an issue, and of its title and prose without the words of code and logs. */
export interface QueryVectors {
  issue: Float32Array;
  prose: Float32Array;
}

/** Embeds an issue as search wants it. */
export async function encodeIssue(
  encoder: Pick<Encoder, 'encodeQuery'>,
  { sections }: Issue,
): Promise<QueryVectors> {
  const [issue, prose] = await Promise.all([
    encoder.encodeQuery(issueQuery(sections)),
    encoder.encodeQuery(proseQuery(sections)),
  ]);
  return { issue, prose };
}
