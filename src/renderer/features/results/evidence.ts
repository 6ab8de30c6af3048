/** Signals by what kind of evidence they are; one colour each, see `--evidence-*` in the tokens. */
import { SILENT } from '../../../shared/reasons.ts';
import type { Evidence } from '../../../shared/types.ts';

const FAMILIES = [
  'meaning',
  'words',
  'names',
  'place',
  'calls',
  'history',
  'marks',
  'other',
] as const;
export type Family = (typeof FAMILIES)[number];

const FAMILY_OF: Record<string, Family> = {
  dense: 'meaning',
  denseProse: 'meaning',
  bm25: 'words',
  title: 'words',
  message: 'words',
  quoted: 'words',
  related: 'words',
  wordsInDocstring: 'words',
  name: 'names',
  nameCoverage: 'names',
  className: 'names',
  inherited: 'names',
  initializer: 'names',
  path: 'place',
  baseName: 'place',
  fileCoverage: 'place',
  folderCoverage: 'place',
  testFile: 'place',
  frame: 'place',
  file: 'place',
  repro: 'calls',
  reproCalls: 'calls',
  called: 'calls',
  historyChunk: 'history',
  historyFile: 'history',
  churn: 'history',
  churnFile: 'history',
  cochange: 'history',
  likeMarked: 'marks',
  likeRejected: 'marks',
  markedWords: 'marks',
  markedFile: 'marks',
  markedClass: 'marks',
  markedCalls: 'marks',
};

export const FAMILY_TITLES: Record<Family, string> = {
  meaning: 'Similar in meaning',
  words: 'Shared words',
  names: 'Named in the issue',
  place: 'Its file or path',
  calls: 'Call graph',
  history: 'Past commits',
  marks: 'Like what was marked',
  other: 'Other',
};

export const familyOf = (signal: string): Family => FAMILY_OF[signal] ?? 'other';

export interface FamilyShare {
  family: Family;
  /** What its signals add to the score, together; above 0. */
  contribution: number;
}

/** What speaks for a chunk, by family in their fixed order. What speaks against it is in the numbers, not here. */
export function sharesOf(evidence: Evidence): FamilyShare[] {
  const sums = new Map<Family, number>();
  for (const [signal, { contribution }] of Object.entries(evidence)) {
    if (contribution <= 0 || SILENT.has(signal)) continue;
    const family = familyOf(signal);
    sums.set(family, (sums.get(family) ?? 0) + contribution);
  }
  return FAMILIES.flatMap((family) => {
    const contribution = sums.get(family);
    return contribution ? [{ family, contribution }] : [];
  });
}

export const totalOf = (shares: readonly FamilyShare[]): number =>
  shares.reduce((sum, { contribution }) => sum + contribution, 0);

/** A signal's name for people, and how its value is written. */
const SIGNALS: Record<string, [title: string, value: (x: number) => string]> = {
  dense: ['Similar in meaning', (x) => `cosine ${x.toFixed(2)}`],
  bm25: ['Words of the issue', bm25],
  title: ['Words of the title', bm25],
  denseProse: ['Similar in meaning to the prose', (x) => `cosine ${x.toFixed(2)}`],
  message: ['Words of the error message', bm25],
  quoted: ['Words of quoted text', bm25],
  related: ['Words related to the issue’s', bm25],
  wordsInDocstring: ['Words in its docstring', bm25],
  file: ['Its file fits', (x) => x.toFixed(2)],
  path: ['Its path is named', count],
  baseName: ['Its file’s name is named', count],
  name: ['Its name is named', count],
  nameCoverage: ['Words of its name in the issue', share],
  className: ['Its class is named', count],
  inherited: ['A named class inherits it', (x) => x.toFixed(2)],
  initializer: ['Makes objects of a named class', (x) => x.toFixed(2)],
  fileCoverage: ['Its file has the title’s words', (x) => x.toFixed(1)],
  folderCoverage: ['Its folder has the title’s words', (x) => x.toFixed(1)],
  testFile: ['Tests of its file are like the issue', (x) => x.toFixed(2)],
  frame: ['In the traceback', (x) => (x === 1 ? 'innermost' : x.toFixed(2))],
  repro: ['Called by the issue’s code', (x) => x.toFixed(2)],
  reproCalls: ['Behind what the issue’s code calls', (x) => x.toFixed(2)],
  called: ['Called by strong results', (x) => x.toFixed(2)],
  historyChunk: ['Edited by commits like this', (x) => x.toFixed(2)],
  historyFile: ['Its file edited by commits like this', (x) => x.toFixed(2)],
  churn: ['How much it changes', (x) => x.toFixed(2)],
  churnFile: ['How much its file changes', (x) => x.toFixed(2)],
  cochange: ['Changes with strong results', (x) => x.toFixed(3)],
  length: ['Length of its code', (x) => x.toFixed(1)],
  class: ['A class', yesOrNo],
  module: ['Code outside definitions', yesOrNo],
  private: ['A private name', yesOrNo],
  special: ['A special method', yesOrNo],
  commonName: ['How many share its name', (x) => String(Math.round(Math.exp(x)))],
  role: ['Test, example or doc', yesOrNo],
  likeMarked: ['Like what was marked', (x) => `cosine ${x.toFixed(2)}`],
  likeRejected: ['Like what was not relevant', (x) => `cosine ${x.toFixed(2)}`],
  markedWords: ['Words of what was marked', (x) => `BM25 ${x.toFixed(1)}`],
  markedFile: ['In a file with a marked function', yesOrNo],
  markedClass: ['In a class with a marked function', yesOrNo],
  markedCalls: ['Calls or called by a marked function', yesOrNo],
};

export const signalTitle = (signal: string): string => SIGNALS[signal]?.[0] ?? signal;

export const signalValue = (signal: string, value: number): string =>
  SIGNALS[signal]?.[1](value) ?? value.toFixed(2);

function bm25(x: number): string {
  return `BM25 ${x.toFixed(1)}`;
}

function count(x: number): string {
  return Number.isInteger(x) ? `${x} ×` : x.toFixed(2);
}

function share(x: number): string {
  return `${Math.round(100 * x)}%`;
}

function yesOrNo(x: number): string {
  return x ? 'yes' : 'no';
}
