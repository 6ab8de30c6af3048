/** The results as a tree of folders and files, each where its best result is: the order of the ranking, folder by folder. */

import { create } from 'zustand';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { onRepositoryChange } from '../../platform/state.ts';

interface Placed {
  key: string;
  chunk: Pick<ChunkSummary, 'path' | 'qualifiedName'> & Partial<Pick<RankedChunk, 'rank'>>;
}

/** A folder or a file with results, or one of them. */
export interface TreeRow<T> {
  /** The path of a folder, which ends with a slash, or of a file, or the address of a result. */
  key: string;
  /** What its parent does not say: of folders that have nothing but another one, all of them. */
  name: string;
  /** From 1. */
  level: number;
  /** Place among those with the same parent, from 1, and how many those are. */
  at: number;
  of: number;
  /** Key of its parent; null at the top. */
  parent: string | null;
  /** The best rank in it; null where nothing in it has one. */
  best: number | null;
  count: number;
  /** True if its content is shown; null for a result. */
  open: boolean | null;
  /** The result; null for a folder or a file. */
  chunk: T | null;
}

/** Folders, whose names end with a slash, and the results of files by their names, the best first. */
interface Folder<T> extends Map<string, Folder<T> | T[]> {}

/** Results in the order of the tree, of the ranking's. */
export function inTreeOrder<T extends Pick<ChunkSummary, 'path'>>(results: readonly T[]): T[] {
  return [...all(folderOf(results, ({ path }) => path))];
}

/**
 * Rows from top to bottom, without those in what is closed.
 * @param chunks in the order of the ranking, or of the tree
 * @param isOpen whether a folder or a file is open, by its key
 */
export function treeRows<T extends Placed>(
  chunks: readonly T[],
  isOpen: (key: string) => boolean,
): TreeRow<T>[] {
  const rows: TreeRow<T>[] = [];
  addFolder(rows, folderOf(chunks, pathOf), isOpen, { key: null, path: '', level: 1 });
  return rows;
}

/** Keys of the folders and the file around a result, the outermost first, whether or not they have rows of their own. */
export function around(path: string): string[] {
  const parts = partsOf(path);
  return parts.map((_, at) => parts.slice(0, at + 1).join(''));
}

/** `['src/', 'shop/', 'cart.py']`. */
const partsOf = (path: string): string[] => path.split(/(?<=\/)/);

/**
 * Whether a folder or a file is open, by its key: as it was opened or closed, else if the first result is in it.
 * @param first the path of the first result
 */
export function isOpenIn(
  folds: ReadonlyMap<string, boolean>,
  first: string | undefined,
): (key: string) => boolean {
  const known = new Set(first === undefined ? [] : around(first));
  return (key) => folds.get(key) ?? known.has(key);
}

const pathOf = ({ chunk: { path } }: Placed): string => path;

function folderOf<T>(results: readonly T[], pathOf: (result: T) => string): Folder<T> {
  const root: Folder<T> = new Map();
  for (const result of results) {
    const names = partsOf(pathOf(result));
    const file = names.pop() ?? '';
    let folder = root;
    for (const name of names) {
      const known = folder.get(name);
      const inner: Folder<T> = known instanceof Map ? known : new Map();
      folder.set(name, inner);
      folder = inner;
    }
    folder.set(file, [...all(folder.get(file) ?? []), result]);
  }
  return root;
}

function* all<T>(inside: Folder<T> | T[]): Generator<T> {
  if (inside instanceof Map) for (const each of inside.values()) yield* all(each);
  else yield* inside;
}

interface Parent {
  key: string | null;
  path: string;
  level: number;
}

function addFolder<T extends Placed>(
  rows: TreeRow<T>[],
  folder: Folder<T>,
  isOpen: (key: string) => boolean,
  parent: Parent,
): void {
  let at = 0;
  for (const entry of folder) {
    const place = { at: ++at, of: folder.size, parent: parent.key, level: parent.level };
    const [name, inside] = joined(...entry);
    const key = parent.path + name;
    const open = isOpen(key);
    rows.push({ ...place, key, name, ...summary([...all(inside)]), open, chunk: null });
    if (!open) continue;
    const below = { key, path: key, level: parent.level + 1 };
    if (inside instanceof Map) addFolder(rows, inside, isOpen, below);
    else addResults(rows, inside, below);
  }
}

/** A folder with those in it, as long as there is nothing but one other in each. */
function joined<T>(name: string, inside: Folder<T> | T[]): [name: string, inside: Folder<T> | T[]] {
  const [only, ...others] = inside instanceof Map ? inside : [];
  return only && others.length === 0 && only[1] instanceof Map
    ? joined(name + only[0], only[1])
    : [name, inside];
}

function addResults<T extends Placed>(
  rows: TreeRow<T>[],
  chunks: readonly T[],
  { key, level }: Parent,
): void {
  for (const [index, chunk] of chunks.entries()) {
    const place = { at: index + 1, of: chunks.length, parent: key, level };
    const name = chunk.chunk.qualifiedName;
    rows.push({ ...place, key: chunk.key, name, ...summary([chunk]), open: null, chunk });
  }
}

function summary(chunks: readonly Placed[]): { best: number | null; count: number } {
  const ranks = chunks.flatMap(({ chunk: { rank } }) => rank ?? []);
  return { best: ranks.length > 0 ? Math.min(...ranks) : null, count: chunks.length };
}

/** Folders and files that the user opened or closed, by key. Any other is open if the first result is in it. */
export const useFolds = create<{ folds: ReadonlyMap<string, boolean> }>(() => ({
  folds: new Map(),
}));

export function fold(key: string, open: boolean): void {
  useFolds.setState(({ folds }) => ({ folds: new Map([...folds, [key, open]]) }));
}

export function openAround(path: string): void {
  useFolds.setState(({ folds }) => ({
    folds: new Map([...folds, ...around(path).map((key): [string, boolean] => [key, true])]),
  }));
}

export const followFolds = (): Stop =>
  onRepositoryChange(() => useFolds.setState({ folds: new Map() }));
