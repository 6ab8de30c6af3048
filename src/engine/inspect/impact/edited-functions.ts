/** Finds the functions that a diff edits, in the index and on the other side of the diff. */
import { findEditedChunks } from '../../../base/edited-chunks.ts';
import type { EditedFunction } from '../../../shared/impact.ts';
import { findLanguage } from '../../languages/index.ts';
import { readHeader } from '../../languages/layout/header.ts';
import type { SourceFile } from '../../parse/pool.ts';
import { summarizeChunk } from '../../snapshot/address.ts';
import type { RepositoryIndex } from '../../snapshot/repository-index.ts';
import type { Store } from '../../store/store.ts';
import {
  type ChangedDefinition,
  compareDefinitions,
  type DiffedDefinition,
} from './definitions.ts';
import { matchPath } from './match-path.ts';
import { type Comparisons, MAX_COMPARISONS, type PlacedHunks, placeHunks } from './place-hunks.ts';
import type { DiffedFile, PatchHunk } from './read-diff.ts';

/** Parses files, and returns their definitions by path. */
export type ParseFiles = (
  files: readonly SourceFile[],
) => Promise<Map<string, readonly DiffedDefinition[]>>;

export interface EditedFunctions {
  functions: (EditedFunction & {
    /** Slot of the function in the index, or -1. */
    slot: number;
  })[];
  unindexed: string[];
  placed: number;
  /** Paths of indexed files whose lines are on neither side of the diff. */
  unplaced: string[];
}

/** Maximum number of files that are parsed on the other side of the diff, and of UTF-16 units of one. */
const MAX_PARSED = 100;
const MAX_LENGTH = 1_000_000;

interface MatchedFile {
  diff: DiffedFile;
  /** Path in the index; null if the index does not have the file. */
  path: string | null;
  placed: PlacedHunks | null;
}

/** Finds edited functions. Only indexed files are looked up, so no path of a diff reads anything else. */
export async function findEditedFunctions(
  index: RepositoryIndex,
  store: Store,
  files: readonly DiffedFile[],
  parse: ParseFiles,
): Promise<EditedFunctions> {
  const comparisons: Comparisons = { left: MAX_COMPARISONS };
  const matched = files.map((diff) => matchFile(index, store, diff, comparisons));
  const others = await parse(
    matched.flatMap((file) => getOtherSide(file) ?? []).slice(0, MAX_PARSED),
  );
  const found: EditedFunctions = { functions: [], unindexed: [], placed: 0, unplaced: [] };
  for (const file of matched) {
    const { path, placed, diff } = file;
    if (path === null) found.unindexed.push(getPath(diff));
    else if (placed) found.placed++;
    else found.unplaced.push(path);
    const other = others.get(getPath(diff));
    found.functions.push(...listEdited(index, store, file, other));
  }
  return { ...found, functions: dropMoved(found.functions) };
}

const getPath = ({ from, to }: DiffedFile): string => to ?? from ?? '';

function matchFile(
  index: RepositoryIndex,
  store: Store,
  diff: DiffedFile,
  comparisons: Comparisons,
): MatchedFile {
  const path = matchPath(index, diff.to) ?? matchPath(index, diff.from);
  const file = path === null ? undefined : index.getFile(path);
  if (path === null || !file) return { diff, path: null, placed: null };
  const lines = store.versions.getContent(file.versionId).split(/\r?\n/);
  const placed = placeHunks(diff, lines, comparisons);
  // Without its first folders, a path may mean another file of that name.
  const isSure = placed !== null || path === diff.to || path === diff.from;
  return { diff, path: isSure ? path : null, placed };
}

/** Returns the file on the side of the diff that the index does not have; null if it need not be parsed. */
function getOtherSide({ diff, path, placed }: MatchedFile): SourceFile | null {
  const named = path ?? getPath(diff);
  if (!findLanguage(named) || diff.hunks.length === 0) return null;
  const isWhole = diff.from === null || diff.to === null;
  const lines = placed?.other ?? (path === null && isWhole ? listWholeFile(diff) : null);
  const text = lines?.join('\n');
  if (text === undefined || text.length > MAX_LENGTH) return null;
  return { path: getPath(diff), hash: '', text };
}

/** Returns the lines of a file that the diff adds or removes as a whole. */
const listWholeFile = ({ hunks }: DiffedFile): string[] =>
  hunks.flatMap(({ lines }) => lines.map(({ text }) => text));

function listEdited(
  index: RepositoryIndex,
  store: Store,
  { diff, path, placed }: MatchedFile,
  other: readonly DiffedDefinition[] | undefined,
): EditedFunctions['functions'] {
  if (path === null) {
    const isNew = diff.from === null;
    const changed = compareDefinitions(isNew ? [] : (other ?? []), isNew ? (other ?? []) : []);
    return changed.map((one) => describe(index, getPath(diff), one, -1));
  }
  const slots = index
    .getSlotsByPath(path)
    .filter((slot) => index.getChunk(slot).kind !== 'section');
  if (!placed) return findByNames(index, path, slots, diff.hunks);
  const chunks = slots.map((slot) => ({ slot, ...summarizeChunk(index.getChunk(slot)) }));
  const edited = new Set(Array.from(findEditedChunks(chunks, placed.edits), ({ slot }) => slot));
  const own = slots.map((slot): DiffedDefinition & { slot: number } => {
    const { qualifiedName, ordinal, name, kind, id } = index.getChunk(slot);
    return { slot, qualifiedName, ordinal, name, kind, ...store.versions.getChunkText(id) };
  });
  const isAfter = placed.side === 'after';
  const changed = other ? compareDefinitions(isAfter ? other : own, isAfter ? own : other) : [];
  const bySlot = new Map<number, ChangedDefinition>();
  const gone: EditedFunctions['functions'] = [];
  for (const one of changed) {
    const mine = (isAfter ? one.after : one.before) as (typeof own)[number] | null;
    if (mine) bySlot.set(mine.slot, one);
    else gone.push(describe(index, path, one, -1));
  }
  // A class whose outline changed because a method did is not edited itself.
  const listed = slots.filter((slot, i) => {
    if (edited.has(slot)) return other === undefined || !isSameModuleCode(own[i], other);
    return isMoreThanText(bySlot.get(slot));
  });
  return [...listed.map((slot) => describe(index, path, bySlot.get(slot) ?? null, slot)), ...gone];
}

/** Returns true for module code that differs in blank lines at most. */
function isSameModuleCode(
  own: DiffedDefinition | undefined,
  other: readonly DiffedDefinition[],
): boolean {
  if (own?.kind !== 'module') return false;
  const readLines = ({ text }: DiffedDefinition) =>
    text.split('\n').filter((line) => line.trim() !== '');
  const module = other.find(({ kind }) => kind === 'module');
  return module !== undefined && readLines(own).join('\n') === readLines(module).join('\n');
}

const isMoreThanText = (one: ChangedDefinition | undefined): boolean =>
  one !== undefined && one.change !== 'body';

function describe(
  index: RepositoryIndex,
  path: string,
  changed: ChangedDefinition | null,
  slot: number,
): EditedFunctions['functions'][number] {
  const chunk = slot < 0 ? null : summarizeChunk(index.getChunk(slot));
  const { before, after, change } = changed ?? {
    before: null,
    after: null,
    change: 'body' as const,
  };
  const qualifiedName = (after ?? before ?? chunk)?.qualifiedName ?? '';
  const formerName = change === 'renamed' ? (before?.qualifiedName ?? null) : null;
  return { path: chunk?.path ?? path, qualifiedName, change, formerName, chunk, slot };
}

/** Leaves out removed definitions that the diff adds elsewhere under the same name. */
function dropMoved(functions: EditedFunctions['functions']): EditedFunctions['functions'] {
  const added = new Set(
    functions.filter(({ change }) => change === 'added').map(({ qualifiedName }) => qualifiedName),
  );
  return functions.filter(
    ({ change, qualifiedName }) => change !== 'removed' || !added.has(qualifiedName),
  );
}

/** Finds functions by the headers in hunks and in their headings, for a file that differs from both sides of the diff. */
function findByNames(
  index: RepositoryIndex,
  path: string,
  slots: readonly number[],
  hunks: readonly PatchHunk[],
): EditedFunctions['functions'] {
  const language = findLanguage(path);
  if (!language) return [];
  const names = new Set<string>();
  for (const { heading, lines } of hunks) {
    let name = readHeader(language, heading, 0)?.name;
    for (const { mark, text } of lines) {
      name = readHeader(language, text, 0)?.name ?? name;
      if (mark !== ' ' && name !== undefined) names.add(name);
    }
  }
  return slots
    .filter((slot) => names.has(index.getChunk(slot).name))
    .map((slot) => describe(index, path, null, slot));
}
