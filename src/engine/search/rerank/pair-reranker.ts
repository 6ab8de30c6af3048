import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { assertPresent } from '../../../shared/assert-present.ts';
import type { EncoderDocument, PairScorer } from '../../encode/types.ts';
import type { Issue } from '../../issue/issue.ts';
import { createIssueQuery } from '../../issue/queries.ts';
import { OTHER_RERANKER } from './dual-encoder.ts';
import type { Reranker } from './reranker.ts';

/** Number of cached scores: those of forty issues. */
const CACHED_SCORES = 2_000;

/** Scores each candidate together with the issue. Nothing can be computed in advance; scores of the last issues are cached. */
export class PairReranker implements Reranker {
  readonly signal = OTHER_RERANKER;
  readonly model: string;
  readonly #open: () => Promise<PairScorer>;
  #scorer: Promise<PairScorer> | null = null;
  /** Scores by a digest of issue and document. */
  readonly #cache = new LRUCache<string, number>({ max: CACHED_SCORES });

  /**
   * @param model id and version of the model
   * @param open opens the model; called when it is first needed, and again after a failure
   */
  constructor(model: string, open: () => Promise<PairScorer>) {
    this.model = model;
    this.#open = open;
  }

  async load(): Promise<void> {
    this.#scorer ??= this.#open();
    await this.#scorer.catch((error) => {
      this.#scorer = null;
      throw error;
    });
  }

  async *score(
    issue: Issue,
    documents: readonly EncoderDocument[],
  ): AsyncGenerator<readonly number[], void> {
    await this.load();
    const scorer = assertPresent(await this.#scorer, 'the loaded model');
    const query = createIssueQuery(issue.sections);
    for (const document of documents) {
      const key = hash('sha256', JSON.stringify([query.text, document.path, document.text]));
      const score = this.#cache.get(key) ?? (await scorer.score(query, document));
      this.#cache.set(key, score);
      yield [score];
    }
  }

  async close(): Promise<void> {
    const scorer = await this.#scorer?.catch(() => null);
    await scorer?.close();
  }
}
