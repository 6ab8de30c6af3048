/**
 * Finds evidence for an issue in the repository's history. Only ancestors of the snapshot count, and ages are relative to
 * the newest of them, so results do not depend on the clock.
 */
import type { HistoryIndex, SimilarCommit } from '../../../history/history-index.ts';
import { countQueryTerms } from '../../../lexical/tokenize.ts';
import type { Candidates } from '../../gather/gather.ts';
import type { ResolvedIssue } from '../../gather/issue.ts';
import { cachePerSearch } from './signal.ts';

/** Maximum number of similar past commits to use. */
const MAX_SIMILAR_COMMITS = 100;
/** Commits that edit more definitions are ignored: they do not show that two definitions belong together. */
const MAX_DEFINITIONS_PER_COMMIT = 100;
/** Added to the number of changes of each candidate, so that a candidate with few changes counts less. */
const SMOOTHING = 3;

/** Strength of the evidence for a definition or file, and the commit that contributes most. */
interface CommitTrace {
  value: number;
  /** Index in `HistoryIndex.commits`. */
  commit: number;
}

interface TogetherTrace extends CommitTrace {
  /** Number of the candidate that changed in the same commit. */
  with: number;
  /** Largest value that one commit adds. */
  most: number;
}

/** Evidence by number of definition or file in the history. */
export interface HistoryEvidence {
  /** Definitions that were edited by commits whose messages are similar to the issue. */
  definitions: Map<number, CommitTrace>;
  /** Files that were edited by such commits. */
  files: Map<number, CommitTrace>;
  /** Definitions that changed together with the best candidates. */
  together: Map<number, TogetherTrace>;
}

/** Returns the evidence of the history for an issue; null without history. */
export const getHistoryEvidence = cachePerSearch((candidates): HistoryEvidence | null => {
  const { history } = candidates.index;
  if (!history) return null;
  return {
    ...traceSimilarCommits(candidates.issue, history),
    together: traceChangedTogether(candidates, history),
  };
});

/**
 * Finds the best commit for each definition and file. Its value is the squared similarity of its message, divided by the
 * root of the number of edits, since a large commit says little about each of them. Messages are compared with the issue's
 * title, which resembles a commit subject. Comparing them with the code and logs of the issue too gives worse results.
 */
function traceSimilarCommits(
  issue: ResolvedIssue,
  history: HistoryIndex,
): Pick<HistoryEvidence, 'definitions' | 'files'> {
  const definitions = new Map<number, CommitTrace>();
  const files = new Map<number, CommitTrace>();
  for (const { commit, similarity } of findSimilarCommits(issue, history)) {
    const edits = history.getCommit(commit);
    const value = similarity ** 2;
    keepBest(definitions, edits.definitions, value / Math.sqrt(edits.definitions.length), commit);
    keepBest(files, edits.files, value / Math.sqrt(edits.files.length), commit);
  }
  return { definitions, files };
}

/** Finds commits by the title, or by the whole text if no message has a word of the title. */
function findSimilarCommits(
  { title, passages }: ResolvedIssue,
  history: HistoryIndex,
): SimilarCommit[] {
  const findSimilar = (text: string) =>
    history.findSimilar(countQueryTerms(text), MAX_SIMILAR_COMMITS);
  const found = findSimilar(title);
  return found.length > 0 ? found : findSimilar(passages.map(({ text }) => text).join('\n'));
}

function keepBest(
  traces: Map<number, CommitTrace>,
  keys: readonly number[],
  value: number,
  commit: number,
): void {
  for (const key of keys) {
    const best = traces.get(key);
    if (!best || value > best.value) traces.set(key, { value, commit });
  }
}

/**
 * Finds definitions that changed together with the strongest candidates. For each candidate, a definition gets the share of
 * the candidate's changes in which it changed too, divided by the size of each commit. These values are summed over the
 * candidates, weighted by the reciprocal of their rank.
 */
function traceChangedTogether(
  { top, index }: Candidates,
  history: HistoryIndex,
): HistoryEvidence['together'] {
  const together: HistoryEvidence['together'] = new Map();
  for (const [rank, slot] of top.entries()) {
    const candidate = history.findDefinition(index.getChunk(slot));
    if (candidate === undefined) continue;
    const changes = history.getDefinitionCommits(candidate);
    const share = 1 / (rank + 1) / (changes.length + SMOOTHING);
    for (const commit of changes) {
      const { definitions } = history.getCommit(commit);
      if (definitions.length > MAX_DEFINITIONS_PER_COMMIT) continue;
      for (const definition of definitions) {
        if (definition === candidate) continue;
        addTogether(together, definition, share / definitions.length, commit, candidate);
      }
    }
  }
  return together;
}

function addTogether(
  together: HistoryEvidence['together'],
  definition: number,
  value: number,
  commit: number,
  candidate: number,
): void {
  const trace = together.get(definition);
  if (!trace) {
    together.set(definition, { value, commit, with: candidate, most: value });
    return;
  }
  trace.value += value;
  if (value <= trace.most) return;
  trace.most = value;
  trace.commit = commit;
  trace.with = candidate;
}
