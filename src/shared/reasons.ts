/** Evidence in words, for a line in a terminal, a cell in a table, a comment in a review. */
import type { IssueSpan, RankedChunk, SignalEvidence } from './types.ts';

/** Signals that say what a chunk is, not why it fits this issue. */
export const SILENT: ReadonlySet<string> = new Set([
  'length',
  'class',
  'module',
  'role',
  'private',
  'special',
  'commonName',
]);

/**
 * Why a chunk is where it is in a ranking: the signals that raised it most, strongest first, in words a person
 * would use. Text of the issue and names stand between backquotes. At most `limit`; empty when nothing speaks
 * for the chunk but what it is (its length, its kind).
 */
export function reasons({ evidence }: RankedChunk, limit = 3): string[] {
  return Object.entries(evidence)
    .filter(
      ([signal, { value, contribution }]) => contribution > 0 && value !== 0 && !SILENT.has(signal),
    )
    .filter(([signal]) => !(signal === 'baseName' && evidence.path?.value))
    .sort(([, a], [, b]) => b.contribution - a.contribution)
    .slice(0, limit)
    .map(([signal, found]) => (PHRASES[signal] ?? otherSignal(signal))(found));
}

type Phrase = (evidence: SignalEvidence) => string;

const PHRASES: Record<string, Phrase> = {
  dense: ({ value }) => `similar in meaning (${value.toFixed(2)})`,
  bm25: ({ detail }) => `shares ${sharedWords(detail) || 'words'}`,
  denseProse: () => 'similar in meaning to the description',
  title: ({ detail }) => `has the title's ${sharedWords(detail) || 'words'}`,
  message: ({ detail }) => `has the error message's ${sharedWords(detail) || 'words'}`,
  quoted: ({ detail }) => `has the quoted text's ${sharedWords(detail) || 'words'}`,
  related: ({ detail }) =>
    `has ${sharedWords(detail) || 'words'}, related to ${relatedTo(detail) || "the issue's words"}`,
  wordsInDocstring: ({ detail }) =>
    `its docstring has ${sharedWords(detail) || 'words of the issue'}`,
  file: () => 'its file fits',
  name: ({ spans, detail }) =>
    `${quoted(spans, 'its name')} in the issue${detail?.startsWith('one of') ? ` (${detail})` : ''}`,
  nameCoverage: ({ detail }) => `its name has ${sharedWords(detail) || 'words of the issue'}`,
  className: ({ spans }) => `its class ${quoted(spans, '')} in the issue`,
  inherited: ({ spans }) => `inherited by ${quoted(spans, 'a named class')}`,
  initializer: ({ spans }) => `makes objects of ${quoted(spans, 'a named class')}`,
  fileCoverage: ({ detail }) => `its file has the title's ${sharedWords(detail) || 'words'}`,
  folderCoverage: ({ detail }) => `its folder has the title's ${sharedWords(detail) || 'words'}`,
  testFile: ({ detail }) => `${detail ? `\`${detail}\`` : 'a test'} of its file is like the issue`,
  path: ({ spans }) => `its path ${quoted(spans, '')} in the issue`,
  baseName: ({ spans }) => `its file ${quoted(spans, '')} in the issue`,
  frame: ({ value }) =>
    value === 1 ? 'innermost frame of the traceback' : 'frame of the traceback',
  repro: ({ detail }) => detail ?? 'called by the code of the issue',
  reproCalls: ({ detail }) => detail ?? 'behind what the code of the issue calls',
  called: ({ detail }) => detail ?? 'called by strong results',
  historyChunk: ({ detail }) => detail ?? 'edited by commits like this',
  historyFile: ({ detail }) => detail ?? 'its file was edited by commits like this',
  churn: ({ detail }) => detail ?? 'changes often',
  churnFile: () => 'its file changes often',
  cochange: ({ detail }) => detail ?? 'changes together with strong results',
  likeMarked: () => 'similar to what you marked',
  likeRejected: () => 'unlike what you ruled out',
  markedWords: ({ detail }) => `shares ${sharedWords(detail) || 'words'} with what you marked`,
  markedClass: () => 'its class has a chunk you marked',
  markedFile: () => 'its file has a chunk you marked',
  markedCalls: ({ detail }) => `calls or is called by ${detail || 'what you marked'}`,
};

/** For signals that have no phrase of their own yet. */
const otherSignal =
  (signal: string): Phrase =>
  ({ spans, detail }) =>
    detail ? `${signal}: ${detail}` : spans?.length ? `${signal} ${quoted(spans, '')}` : signal;

function quoted(spans: IssueSpan[] | undefined, otherwise: string): string {
  return spans?.[0] ? `\`${spans[0].text.replaceAll('`', '')}\`` : otherwise;
}

/** Words that no reader takes for a reason, though BM25 counts them. */
const FILLERS = new Set(
  'a an and are as be by for if in is it not of on or that the this to we when with'.split(' '),
);

/** The strongest words of `… words: max_delay 4.6, attempt 3.1`; single letters and fillers tell nothing. */
function sharedWords(detail: string | undefined): string {
  const listed = detail?.split('words: ')[1]?.split(', ') ?? [];
  return listed
    .map((entry) => entry.split(' ')[0]!)
    .filter((word) => word.length > 1 && !FILLERS.has(word))
    .slice(0, 3)
    .map((word) => `\`${word}\``)
    .join(' ');
}

/** The issue's words of `words: remove 2.1 (delete), rm 0.4 (delete)`. */
function relatedTo(detail: string | undefined): string {
  const words = Array.from(detail?.matchAll(/\(([^\s()]+)\)/g) ?? [], ([, word]) => `\`${word}\``);
  return [...new Set(words.slice(0, 3))].join(' ');
}
