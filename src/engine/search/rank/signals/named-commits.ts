/** Signals from past commits that the issue names: by id, by a ticket, or as a step between versions. */

import { assertPresent } from '../../../../shared/assert-present.ts';
import { quoteText } from '../../../../shared/quote.ts';
import type { Candidates } from '../../gather/gather.ts';
import type { NamedCommits } from '../../gather/past-commits.ts';
import { describeCommit } from './commit-text.ts';
import { cachePerSearch, type ExplainedValue, measureEach, withFamily } from './signal.ts';
import { formatShare } from './wording.ts';

export const NAMED_COMMIT_SIGNALS = withFamily('history', [
  /** 1 / √(number of definitions that the commits edited), for the smallest commit or ticket that edited the chunk. */
  {
    name: 'namedCommit',
    title: 'Edited by commits that the issue names',
    ...measureNamed(({ kind }) => kind !== 'versions'),
  },
  /** The same for the step between two versions that the issue names. */
  {
    name: 'namedVersions',
    title: 'Changed between versions that the issue names',
    ...measureNamed(({ kind }) => kind === 'versions'),
  },
]);

interface NamedTrace {
  named: NamedCommits;
  /** Index in `HistoryIndex.commits`: the newest of the commits that edited the definition. */
  commit: number;
}

/** Returns, by mention, the newest of its commits for each definition that they edited. */
const getNamedEdits = cachePerSearch(({ index, issue }) =>
  issue.commits.map((named) => {
    const newest = new Map<number, number>();
    for (const commit of named.commits) {
      for (const definition of index.history?.getCommit(commit).definitions ?? [])
        if (!newest.has(definition)) newest.set(definition, commit);
    }
    return { named, newest };
  }),
);

function measureNamed(accepts: (named: NamedCommits) => boolean) {
  const findTrace = (slot: number, candidates: Candidates): NamedTrace | null => {
    const { history } = candidates.index;
    const definition = history?.findDefinition(candidates.index.getChunk(slot));
    if (definition === undefined) return null;
    let best: NamedTrace | null = null;
    for (const { named, newest } of getNamedEdits(candidates)) {
      const commit = newest.get(definition);
      if (commit === undefined || !accepts(named)) continue;
      if (!best || named.definitions < best.named.definitions) best = { named, commit };
    }
    return best;
  };
  return {
    measure(candidates: Candidates) {
      const isNamed = candidates.issue.commits.some(accepts);
      return measureEach(candidates, (_, slot) => {
        const trace = isNamed ? findTrace(slot, candidates) : null;
        return trace ? 1 / Math.sqrt(trace.named.definitions) : 0;
      });
    },
    format: formatShare,
    explain({ slot, candidates }: ExplainedValue) {
      const trace = assertPresent(findTrace(slot, candidates), 'the trace of a chunk');
      const history = assertPresent(candidates.index.history, 'the history');
      const commit = describeCommit(trace.commit, history);
      return { sentence: describeTrace(trace.named, commit), spans: [trace.named.span] };
    },
  };
}

function describeTrace({ kind, name }: NamedCommits, commit: string): string {
  if (kind === 'commit') return `edited by ${commit}, which the issue names`;
  if (kind === 'ticket') return `edited for ${quoteText(name)}: ${commit}`;
  return `changed ${name}: ${commit}`;
}
