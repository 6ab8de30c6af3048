/**
 * Consistency filtering and hard negatives, after SweRank (Reddy et al., 2025, arXiv 2505.07849, section 3). Some messages
 * in a history say nothing about the code that the commit edits. A pair is accepted only if an existing ranking puts an edited
 * chunk among the first k. The unedited chunks that rank first are the hard negatives.
 *
 * The ranking is the sum of two signals, each standardized over the candidates: the encoder's similarity and BM25. The
 * candidates are the chunks of the commit's snapshot, with the commit's own versions instead of later or earlier ones.
 */

import { throwIfCancelled } from '../../src/base/cancel.ts';
import {
  CALLEE_CHARACTERS,
  countQueryTerms,
  countTerms,
  createTextQuery,
  type Encoder,
  type EncoderDocument,
  LexicalIndex,
  type ParsedChunk,
  type TermLookup,
  VectorTable,
} from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { ChunkLine, CommitLine } from './format.ts';
import type { Clock, MineOptions } from './options.ts';
import type { WorkFile } from './work-file.ts';

const ENCODED_AT_ONCE = 512;
const PAGE = 200;

/** Ranks every instance. Rejects the inconsistent ones, and adds the rank and hard negatives to the others. */
export async function checkConsistency(
  work: WorkFile,
  options: Pick<MineOptions, 'topK' | 'negatives' | 'encoder' | 'signal'> & { clock: Clock },
): Promise<void> {
  const { topK, negatives, signal, clock } = options;
  const encoder = await assertPresent(options.encoder, 'an encoder to rank with')();
  try {
    const ranking = await Ranking.over(work, encoder, signal);
    const total = work.commitCount();
    let done = 0;
    for (let after = -1; ; ) {
      throwIfCancelled(signal, 'Mining');
      const page = work.commits(after, PAGE);
      const last = page.at(-1);
      if (!last) return;
      const ranked: { position: number; kept: CommitLine | null }[] = [];
      for (const { position, commit } of page) {
        const { rank, best } = await ranking.rank(commit, negatives);
        const kept = { ...commit, rank, ...(negatives > 0 && { neg: best }) };
        ranked.push({ position, kept: topK === null || rank <= topK ? kept : null });
      }
      work.transaction(() => {
        for (const { position, kept } of ranked) {
          work.replaceCommit(position, kept ?? 'inconsistent');
        }
      });
      after = last.position;
      done += page.length;
      clock.report('ranking', done, total);
    }
  } finally {
    await encoder.close();
  }
}

/** All chunks of the output, by line, as an encoder and BM25 see them. */
class Ranking {
  readonly #encoder: Encoder;
  readonly #vectors: VectorTable;
  readonly #lexical: LexicalIndex;
  /** Definition that a chunk is a version of, by line. */
  readonly #definitions: string[] = [];
  /** Snapshots that contain a chunk, as bits, by line. */
  readonly #snapshots: number[] = [];

  private constructor(encoder: Encoder, terms: TermLookup) {
    this.#encoder = encoder;
    this.#vectors = new VectorTable(encoder.dimensions);
    this.#lexical = new LexicalIndex(terms);
  }

  static async over(work: WorkFile, encoder: Encoder, signal?: AbortSignal): Promise<Ranking> {
    const terms = new Terms();
    const ranking = new Ranking(encoder, terms);
    let batch: ChunkLine[] = [];
    let line = 0;
    const encodeBatch = async () => {
      throwIfCancelled(signal, 'Mining');
      await ranking.#encode(batch, line - batch.length, work);
      batch = [];
    };
    for (let count = work.chunkCount(); line < count; ) {
      const chunk = work.chunkAt(line);
      ranking.#add(line, chunk, terms);
      batch.push(chunk);
      line++;
      if (batch.length === ENCODED_AT_ONCE || line === count) await encodeBatch();
    }
    ranking.#lexical.build();
    return ranking;
  }

  /** Returns the rank of the best edited chunk, from 1, and the `count` unedited candidates that rank first. */
  async rank(commit: CommitLine, count: number): Promise<{ rank: number; best: number[] }> {
    const query = await this.#encoder.encodeQuery(createTextQuery(commit.m));
    const words = new Map(
      Array.from(countQueryTerms(commit.m), ([term, n]) => [term, Math.sqrt(n)]),
    );
    const candidates = this.#candidates(commit);
    const similarities = this.#vectors.getSimilarities(query);
    const matches = this.#lexical.score(this.#lexical.createQuery(words));
    const standardisedOf = (values: Float32Array) =>
      standardize(candidates.map((line) => assertPresent(values[line], 'the score of a chunk')));
    const [dense, lexical] = [standardisedOf(similarities), standardisedOf(matches)];
    const order = candidates
      .map((line, i) => ({
        line,
        score: assertPresent(dense[i], 'a similarity') + assertPresent(lexical[i], 'a BM25'),
      }))
      .sort((a, b) => b.score - a.score || a.line - b.line)
      .map(({ line }) => line);
    const edited = new Set(commit.pos);
    const rank = 1 + order.findIndex((line) => edited.has(line));
    return { rank, best: order.filter((line) => !edited.has(line)).slice(0, count) };
  }

  #candidates({ pos, sib, snap }: CommitLine): number[] {
    const own = [...pos, ...sib];
    const replaced = new Set(own.map((line) => this.#definitions[line]));
    const others = [...this.#definitions.entries()].filter(
      ([line, name]) =>
        assertPresent(this.#snapshots[line], 'snapshots') & (1 << snap) && !replaced.has(name),
    );
    return [...own, ...others.map(([line]) => line)];
  }

  #add(line: number, chunk: ChunkLine, terms: Terms): void {
    const [path, name, , , , , snapshots] = chunk;
    this.#definitions.push(`${path}\0${name}`);
    this.#snapshots.push(snapshots.reduce((bits, snapshot) => bits | (1 << snapshot), 0));
    this.#lexical.add(line, terms.counted(countTerms(path, [toParsed(chunk)])));
  }

  async #encode(chunks: readonly ChunkLine[], first: number, work: WorkFile): Promise<void> {
    const documents = chunks.map((chunk): EncoderDocument => {
      const { text, signatureEnd, doc } = toParsed(chunk);
      const callees = chunk[5].map((line) => {
        const [path, , , calleeText] = work.chunkAt(line);
        return { path, text: calleeText.slice(0, CALLEE_CHARACTERS) };
      });
      return { path: chunk[0], text, signatureEnd, doc, callees };
    });
    const { keys, vectors } = await this.#encoder.encode(documents, (asked) =>
      asked.map(() => false),
    );
    for (const [i, key] of keys.entries()) {
      this.#vectors.set(first + i, assertPresent(vectors.get(key), 'an embedding'));
    }
  }
}

/** Dictionary of terms, in memory. */
export class Terms implements TermLookup {
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];

  idOf(term: string): number | undefined {
    return this.#ids.get(term);
  }

  termOf(id: number): string | undefined {
    return this.#terms[id];
  }

  /** Converts a file's counts to the form that an index takes. */
  counted({ terms, entries }: ReturnType<typeof countTerms>) {
    const ids = terms.map((term) => this.#idOf(term));
    return entries.map(
      (entry) => (assertPresent(ids[entry >>> 11], 'the id of a term') << 11) | (entry & 0x7ff),
    );
  }

  #idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    this.#ids.set(term, this.#terms.length);
    return this.#terms.push(term) - 1;
  }
}

/** Converts a chunk of the format to one with offsets instead of lines. */
export function toParsed([
  ,
  qualifiedName,
  kind,
  text,
  doc,
  ,
  ,
  signature,
]: ChunkLine): ParsedChunk {
  const offsets = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) offsets.push(at + 1);
  const start = (line: number) => offsets[line] ?? text.length;
  return {
    qualifiedName,
    ordinal: 0,
    name: qualifiedName,
    kind: kind === 'c' ? 'class' : kind === 'm' ? 'method' : 'function',
    startLine: 1,
    endLine: offsets.length,
    parent: -1,
    text,
    signatureEnd: Math.max(0, start(signature ?? 0) - 1),
    doc: doc && [start(doc[0]), Math.max(start(doc[1]) - 1, start(doc[0]))],
  };
}

/** Returns (value - mean) / deviation for each value; zeros if all values are the same. */
function standardize(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const deviation = Math.sqrt(variance) || 1;
  return values.map((value) => (value - mean) / deviation);
}
