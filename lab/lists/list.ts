import {
  buildEncoderDocument,
  type EncoderDocument,
  type LinearModel,
  NO_MARKS,
  SIGNALS,
} from '../../src/engine/lab.ts';
import { at } from '../ranker/at.ts';
import { makeSample, type Sample, type Snapshot } from '../ranker/samples.ts';

/** An issue with the candidates that rank first. */
export interface List {
  instance: string;
  repo: string;
  issue: string;
  /** Number of chunks that the fix edits, including those that are not candidates. */
  edited: number;
  /** Number of chunks that were searched. */
  considered: number;
  /** Names of the signals, in the order of the candidates' values. */
  signals: string[];
  /** Candidates, best first, followed by edited chunks that rank lower. */
  candidates: ListedCandidate[];
}

interface ListedCandidate extends EncoderDocument {
  name: string;
  kind: string;
  language: string;
  isEdited: boolean;
  score: number;
  /** Values of the signals; null if missing. */
  values: (number | null)[];
  /** Values standardized over all candidates; 0 if missing. */
  columns: number[];
}

/**
 * Returns the first `most` candidates of an issue that count in evaluation, and all edited ones. Returns null if the issue has
 * nothing to search for.
 */
export function makeList(snapshot: Snapshot, ranker: LinearModel, most: number): List | null {
  const sample = makeSample(snapshot, NO_MARKS);
  if (!sample) return null;
  const { instance, index, store } = snapshot;
  const scores = computeScores(sample, ranker);
  const order = sample.slots
    .keys()
    .filter((i) => sample.places[i] !== null)
    .toArray()
    .sort((a, b) => at(scores, b) - at(scores, a));
  const kept = order.filter((i, rank) => rank < most || sample.labels[i] === 1);
  const heads = new Map<number, string>();
  const candidates = kept.map((i): ListedCandidate => {
    const slot = at(sample.slots, i);
    const { qualifiedName, kind, language } = index.getChunk(slot);
    return {
      ...buildEncoderDocument(store, index, slot, heads),
      name: qualifiedName,
      kind,
      language,
      isEdited: sample.labels[i] === 1,
      score: rounded(at(scores, i)),
      values: sample.values.map((column) => finite(at(column, i))),
      columns: sample.columns.map((column) => rounded(at(column, i))),
    };
  });
  return {
    instance: sample.instance,
    repo: sample.repo,
    issue: instance.problem_statement,
    edited: sample.edited.length,
    considered: sample.considered,
    signals: SIGNALS.map(({ name }) => name),
    candidates,
  };
}

function computeScores({ columns, slots }: Sample, ranker: LinearModel): Float64Array {
  const scores = new Float64Array(slots.length);
  for (const [k, { name }] of SIGNALS.entries()) {
    const weight = ranker.weights[name] ?? 0;
    for (const [i, value] of at(columns, k).entries()) scores[i] = at(scores, i) + weight * value;
  }
  return scores;
}

function finite(value: number): number | null {
  return Number.isNaN(value) ? null : Number(value.toPrecision(5));
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
