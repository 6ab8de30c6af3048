/**
 * What the repository's past says of an issue. Everything is relative to the snapshot: only commits behind it count, and
 * ages count from the newest of them, so that results do not depend on the clock.
 */
import type { HistoryIndex, SimilarCommit } from '../../../history/history-index.ts';
import { queryTerms } from '../../../lexical/tokenize.ts';
import type { Candidates } from '../../gather/gather.ts';
import type { ResolvedIssue } from '../../gather/issue.ts';
import { oncePerSearch } from './signal.ts';

/** Past commits like the issue that are looked at. */
const SIMILAR = 100;
/** In a commit of more, that two definitions changed together says nothing. */
const MAX_TOGETHER = 100;
/** As many changes as these without a companion are added to those that a candidate has. */
const SMOOTHING = 3;
/** How strongly history points at something, and the commit that does most: its place in `HistoryIndex.commits`. */
interface Trace {
  value: number;
  commit: number;
}

interface TogetherTrace extends Trace {
  with: number;
  /** The most that one commit adds. */
  most: number;
}

/** By number of definition or file in the history. */
export interface HistoryEvidence {
  /** What commits edited whose messages are like the issue. */
  definitions: Map<number, Trace>;
  files: Map<number, Trace>;
  /** What changed together with the best candidates. */
  together: Map<number, TogetherTrace>;
}

/** Returns what the history says of an issue; null without history. */
export const historyEvidence = oncePerSearch((candidates): HistoryEvidence | null => {
  const { history } = candidates.index;
  if (!history) return null;
  return {
    ...editedLike(candidates.issue, history),
    together: changedTogether(candidates, history),
  };
});

/**
 * The best commit for each definition and file: the square of its similarity, divided by the root of how much it edits,
 * since a commit that edits much says less of each. The similarity is that of messages to the issue's title: subjects
 * are made like titles, and with all of an issue, its code and logs, what is found helps less.
 */
function editedLike(
  issue: ResolvedIssue,
  history: HistoryIndex,
): Pick<HistoryEvidence, 'definitions' | 'files'> {
  const definitions = new Map<number, Trace>();
  const files = new Map<number, Trace>();
  for (const { commit, similarity } of similarCommits(issue, history)) {
    const edits = history.commit(commit);
    const value = similarity ** 2;
    keepBest(definitions, edits.definitions, value / Math.sqrt(edits.definitions.length), commit);
    keepBest(files, edits.files, value / Math.sqrt(edits.files.length), commit);
  }
  return { definitions, files };
}

/** A title without a word that messages know gives way to the whole text. */
function similarCommits(
  { title, passages }: ResolvedIssue,
  history: HistoryIndex,
): SimilarCommit[] {
  const like = (text: string) => history.similar(queryTerms(text), SIMILAR);
  const found = like(title);
  return found.length > 0 ? found : like(passages.map(({ text }) => text).join('\n'));
}

function keepBest(
  traces: Map<number, Trace>,
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
 * For each strong candidate, the share of its changes in which another definition changed as well, divided among all
 * that changed then. Summed over the candidates, each with the reciprocal of its rank.
 */
function changedTogether(
  { top, index }: Candidates,
  history: HistoryIndex,
): HistoryEvidence['together'] {
  const together: HistoryEvidence['together'] = new Map();
  for (const [rank, slot] of top.entries()) {
    const candidate = history.definition(index.chunk(slot));
    if (candidate === undefined) continue;
    const changes = history.commitsOfDefinition(candidate);
    const share = 1 / (rank + 1) / (changes.length + SMOOTHING);
    for (const commit of changes) {
      const { definitions } = history.commit(commit);
      if (definitions.length > MAX_TOGETHER) continue;
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
