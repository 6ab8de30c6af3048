/** Answers what a diff edits, what else may have to change, and which tests to run. */
import { badInput } from '../../../shared/errors.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import type { Impact, ImpactRequest, ImpactTest } from '../../../shared/impact.ts';
import { quoteText } from '../../../shared/quote.ts';
import { summarizeChunk } from '../../snapshot/address.ts';
import type { RepositoryIndex } from '../../snapshot/repository-index.ts';
import type { SourceTree } from '../../source/types.ts';
import type { Store } from '../../store/store.ts';
import { walkCallers } from '../reaching-tests.ts';
import { type EditedFunctions, findEditedFunctions, type ParseFiles } from './edited-functions.ts';
import { readCommitChanges, readWorkingTreeChanges } from './read-changes.ts';
import { type ReadDiff, readDiff } from './read-diff.ts';
import { listSuggestions } from './suggestions.ts';

/** Maximum number of steps from a test to an edited function. */
const MAX_STEPS = 10;
/** Maximum number of names in a sentence of the note. */
const MAX_NAMED = 5;

interface Opened {
  tree: SourceTree;
  index: RepositoryIndex;
  store: Store;
  parse: ParseFiles;
}

/**
 * @throws LocusError `bad-input` for a text without a diff, hunks without a file, an unknown commit, or a folder without changes to read;
 *   `bad-repository` if git fails
 */
export async function findImpact(
  opened: Opened,
  request: ImpactRequest,
  signal?: AbortSignal,
): Promise<Impact> {
  const { index, store, parse } = opened;
  const { limit, tests: most } = request;
  const read = await readChanges(opened, request, signal);
  const found = await findEditedFunctions(index, store, read.files, parse);
  const suggestions = listSuggestions(index, store, found.functions);
  const tests = listTests(index, found);
  return {
    edited: found.functions.map(({ slot: _, ...edited }) => edited),
    suggestions: suggestions.slice(0, limit),
    hidden: Math.max(0, suggestions.length - limit),
    tests: tests.slice(0, most),
    hiddenTests: Math.max(0, tests.length - most),
    unindexed: found.unindexed,
    placed: found.placed,
    note: describeGaps(read, found),
  };
}

async function readChanges(
  { tree, index, store }: Opened,
  { diff, commit }: ImpactRequest,
  signal?: AbortSignal,
): Promise<ReadDiff> {
  if (diff !== undefined && commit !== undefined)
    throw badInput('Both a diff and a commit are given.', 'Give one of them.');
  if (diff !== undefined) return readDiff(diff);
  if (commit !== undefined) return readCommitChanges(tree, commit, signal);
  return readWorkingTreeChanges(tree, index, store, signal);
}

/** Lists the tests that reach an edited function, nearest first, after tests of the diff that reach none. */
function listTests(index: RepositoryIndex, { functions }: EditedFunctions): ImpactTest[] {
  const slots = functions.map(({ slot }) => slot).filter((slot) => slot >= 0);
  const isTest = (slot: number) => {
    const { role, kind } = index.getChunk(slot);
    return role === 'test' && kind !== 'class';
  };
  const centers = slots.filter((slot) => index.getChunk(slot).role !== 'test');
  const edited = new Set(slots.filter(isTest));
  const { reached } = walkCallers(index, centers, MAX_STEPS);
  const describe = (slot: number, distance: number, guess: boolean): ImpactTest => {
    return { ...summarizeChunk(index.getChunk(slot)), distance, guess, inDiff: edited.has(slot) };
  };
  return [
    ...[...edited].filter((slot) => !reached.has(slot)).map((slot) => describe(slot, 0, false)),
    ...[...reached]
      .filter(([slot]) => isTest(slot))
      .map(([slot, { distance, guess }]) => describe(slot, distance, guess)),
  ];
}

function describeGaps(read: ReadDiff, { unplaced, unindexed }: EditedFunctions): string | null {
  const sentences = [
    ...(unplaced.length > 0
      ? [`The index has other lines in ${nameSome(unplaced)}: functions were found by their names.`]
      : []),
    ...(unindexed.length > 0 ? [`Not in the index: ${nameSome(unindexed)}.`] : []),
    ...(read.binary > 0 ? [`${formatCounted(read.binary, 'binary file')} not read.`] : []),
    ...(read.leftOut > 0
      ? [
          `The diff is too long: ${formatCounted(read.leftOut, 'file or hunk', 'files or hunks')} left out.`,
        ]
      : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}

function nameSome(paths: readonly string[]): string {
  const shown = paths
    .slice(0, MAX_NAMED)
    .map((path) => quoteText(path))
    .join(', ');
  return paths.length > MAX_NAMED ? `${shown} and ${paths.length - MAX_NAMED} more` : shown;
}
