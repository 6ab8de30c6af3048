/** The match-aware reader at work: it sees the issue and a candidate together. docs/training.md says how it is made. */
import { join } from 'node:path';
import { LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import * as ort from '../encode/onnxruntime.ts';
import { throwIfSearchCancelled } from '../event-loop/pacer.ts';
import type { EncoderQuery } from '../issue/queries.ts';
import {
  type CandidateFeatures,
  featuresOf,
  frequenciesOf,
  ISSUE_FEATURES,
  TOKEN_FEATURES,
} from './features.ts';
import { IssueWords } from './issue-words.ts';
import { type Lexicon, readLexicon } from './lexicon.ts';
import { loadReaderManifest } from './manifest.ts';
import { type Match, matchesOf } from './matches.ts';
import { candidateWords, queryWords, type Readable } from './tokens.ts';

/** Words of candidates, padding included, that one run takes. */
const BATCH_WORDS = 2_048;

const QUIET = 4;

export interface Reader {
  readonly modelId: string;
  readonly modelVersion: string;
  /**
   * Scores candidates in their order, a batch at a time; what is rare among all of them counts more. The scores of one
   * issue are comparable, and those of an issue without a word are all 0.
   */
  read(issue: EncoderQuery, candidates: readonly Readable[]): AsyncGenerator<Float32Array, void>;
  /**
   * The scores of all of them.
   * @throws LocusError `cancelled` when the signal aborts, between two batches
   */
  score(
    issue: EncoderQuery,
    candidates: readonly Readable[],
    signal: AbortSignal,
  ): Promise<Float32Array>;
  /** For each candidate, which words of the issue it has and where, the rarest first. */
  matches(issue: EncoderQuery, candidates: readonly Readable[]): Match[][];
  close(): Promise<void>;
}

/**
 * Loads the reader in `folder`.
 * @throws LocusError `bad-model` when the folder holds no usable reader
 */
export async function createReader(folder: string): Promise<Reader> {
  const { id, version, files } = await loadReaderManifest(folder);
  try {
    const lexicon = await readLexicon(join(folder, files.words), join(folder, files.neighbours));
    const session = await ort.InferenceSession.create(join(folder, files.model), {
      executionProviders: ['cpu'],
      logSeverityLevel: QUIET,
    });
    return new OnnxReader(id, version, lexicon, session);
  } catch (cause) {
    if (cause instanceof LocusError) throw cause;
    throw new LocusError(
      'bad-model',
      `The reader in ${folder} does not load`,
      'Restore the model folder.',
      { cause },
    );
  }
}

class OnnxReader implements Reader {
  readonly modelId: string;
  readonly modelVersion: string;
  readonly #lexicon: Lexicon;
  readonly #session: ort.InferenceSession;

  constructor(id: string, version: string, lexicon: Lexicon, session: ort.InferenceSession) {
    this.modelId = id;
    this.modelVersion = version;
    this.#lexicon = lexicon;
    this.#session = session;
  }

  async *read(
    query: EncoderQuery,
    candidates: readonly Readable[],
  ): AsyncGenerator<Float32Array, void> {
    const { issue, words } = this.#wordsOf(query, candidates);
    const frequencies = frequenciesOf(words);
    for (const batch of batchesOf(words)) {
      if (issue.words.length === 0) {
        yield new Float32Array(batch.length);
        continue;
      }
      const features = batch.map((own) => featuresOf(own, issue, frequencies, words.length));
      const { scores } = await this.#session.run(feedsOf(features, issue.words.length), ['scores']);
      yield Float32Array.from(await present(scores, 'the scores of a batch').getData(), Number);
    }
  }

  async score(
    issue: EncoderQuery,
    candidates: readonly Readable[],
    signal: AbortSignal,
  ): Promise<Float32Array> {
    const scores = new Float32Array(candidates.length);
    let read = 0;
    for await (const batch of this.read(issue, candidates)) {
      throwIfSearchCancelled(signal);
      scores.set(batch, read);
      read += batch.length;
    }
    return scores;
  }

  matches(query: EncoderQuery, candidates: readonly Readable[]): Match[][] {
    const { issue, words } = this.#wordsOf(query, candidates);
    const frequencies = frequenciesOf(words);
    return words.map((own) => matchesOf(own, issue, frequencies));
  }

  close(): Promise<void> {
    return this.#session.release();
  }

  #wordsOf(query: EncoderQuery, candidates: readonly Readable[]) {
    const { vocabulary } = this.#lexicon;
    return {
      issue: new IssueWords(queryWords(query, vocabulary), this.#lexicon),
      words: candidates.map((candidate) => candidateWords(candidate, vocabulary)),
    };
  }
}

/** Neighbours in the order, as many as one run takes; each of them at least one. */
function* batchesOf<T>(rows: readonly (readonly T[])[]): Generator<(readonly T[])[]> {
  let batch: (readonly T[])[] = [];
  let longest = 0;
  for (const row of rows) {
    longest = Math.max(longest, row.length);
    if (batch.length > 0 && longest * (batch.length + 1) > BATCH_WORDS) {
      yield batch;
      batch = [];
      longest = row.length;
    }
    batch.push(row);
  }
  if (batch.length > 0) yield batch;
}

function feedsOf(
  features: readonly CandidateFeatures[],
  issueWords: number,
): Record<string, ort.Tensor> {
  const rows = features.length;
  const length = Math.max(1, ...features.map(({ kinds }) => kinds.length));
  const tokens = new Float32Array(rows * length * TOKEN_FEATURES);
  const kinds = new BigInt64Array(rows * length);
  const mask = new Float32Array(rows * length);
  const issue = new Float32Array(rows * issueWords * ISSUE_FEATURES);
  for (const [i, of] of features.entries()) {
    tokens.set(of.tokens, i * length * TOKEN_FEATURES);
    kinds.set(Array.from(of.kinds, BigInt), i * length);
    mask.fill(1, i * length, i * length + of.kinds.length);
    issue.set(of.issue, i * issueWords * ISSUE_FEATURES);
  }
  return {
    tokens: new ort.Tensor('float32', tokens, [rows, length, TOKEN_FEATURES]),
    kinds: new ort.Tensor('int64', kinds, [rows, length]),
    mask: new ort.Tensor('float32', mask, [rows, length, 1]),
    issue: new ort.Tensor('float32', issue, [rows, issueWords, ISSUE_FEATURES]),
  };
}
