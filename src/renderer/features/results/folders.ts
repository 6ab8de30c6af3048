/** Results as a tree of folders and files, each ordered by its best result. */

import { create } from 'zustand';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { onRepositoryChange } from '../../platform/state.ts';

interface TreeResult {
  key: string;
  chunk: Pick<ChunkSummary, 'path' | 'qualifiedName'> & Partial<Pick<RankedChunk, 'rank'>>;
}

/** A row of the tree: a folder or file with results, or a result. */
export interface TreeRow<T> {
  /** Path of a folder (with a slash at the end) or of a file, or address of a result. */
  key: string;
  /** Name relative to the parent. Nested folders with a single entry each are joined to one name. */
  name: string;
  /** Depth, from 1. */
  level: number;
  /** Position among its siblings, from 1. */
  at: number;
  /** Number of its siblings, itself included. */
  of: number;
  /** Key of its parent; null at the top. */
  parent: string | null;
  /** Best rank in it; null if none of its results is ranked. */
  best: number | null;
  count: number;
  /** True if it is expanded; null for a result. */
  open: boolean | null;
  /** Result; null for a folder or a file. */
  chunk: T | null;
}

/** Entries by name, best first: folders, whose names end with a slash, and the results of files. */
interface Folder<T> extends Map<string, Folder<T> | T[]> {}

/** Sorts ranked results into the order of the tree. */
export function sortLikeTree<T extends Pick<ChunkSummary, 'path'>>(results: readonly T[]): T[] {
  return [...listResults(buildFolder(results, ({ path }) => path))];
}

/**
 * Returns the rows of the tree from top to bottom, without those in collapsed folders and files.
 * @param chunks in the order of the ranking or of the tree
 * @param isOpen returns true if the folder or file with this key is expanded
 */
export function buildTreeRows<T extends TreeResult>(
  chunks: readonly T[],
  isOpen: (key: string) => boolean,
): TreeRow<T>[] {
  const rows: TreeRow<T>[] = [];
  addFolder(rows, buildFolder(chunks, getPath), isOpen, { key: null, path: '', level: 1 });
  return rows;
}

/** Returns the keys of the folders and the file of a path, outermost first, even if they have no row of their own. */
export function listAncestors(path: string): string[] {
  const parts = splitFolders(path);
  return parts.map((_, at) => parts.slice(0, at + 1).join(''));
}

/** Splits a path: `['src/', 'shop/', 'cart.py']`. */
const splitFolders = (path: string): string[] => path.split(/(?<=\/)/);

/**
 * Returns a function that tells whether a folder or file is expanded: as the user left it, or by default if it contains the
 * first result.
 * @param first path of the first result
 */
export function createIsOpen(
  folds: ReadonlyMap<string, boolean>,
  first: string | undefined,
): (key: string) => boolean {
  const byDefault = new Set(first === undefined ? [] : listAncestors(first));
  return (key) => folds.get(key) ?? byDefault.has(key);
}

const getPath = ({ chunk: { path } }: TreeResult): string => path;

function buildFolder<T>(results: readonly T[], getPath: (result: T) => string): Folder<T> {
  const root: Folder<T> = new Map();
  for (const result of results) {
    const names = splitFolders(getPath(result));
    const file = names.pop() ?? '';
    let folder = root;
    for (const name of names) {
      const existing = folder.get(name);
      const inner: Folder<T> = existing instanceof Map ? existing : new Map();
      folder.set(name, inner);
      folder = inner;
    }
    folder.set(file, [...listResults(folder.get(file) ?? []), result]);
  }
  return root;
}

function* listResults<T>(entry: Folder<T> | T[]): Generator<T> {
  if (entry instanceof Map) for (const each of entry.values()) yield* listResults(each);
  else yield* entry;
}

interface Parent {
  key: string | null;
  path: string;
  level: number;
}

function addFolder<T extends TreeResult>(
  rows: TreeRow<T>[],
  folder: Folder<T>,
  isOpen: (key: string) => boolean,
  parent: Parent,
): void {
  let at = 0;
  for (const entry of folder) {
    const position = { at: ++at, of: folder.size, parent: parent.key, level: parent.level };
    const [name, inside] = joinSingle(...entry);
    const key = parent.path + name;
    const open = isOpen(key);
    const summary = summarize([...listResults(inside)]);
    rows.push({ ...position, key, name, ...summary, open, chunk: null });
    if (!open) continue;
    const below = { key, path: key, level: parent.level + 1 };
    if (inside instanceof Map) addFolder(rows, inside, isOpen, below);
    else addResults(rows, inside, below);
  }
}

/** Joins a folder with its only subfolder, repeatedly. */
function joinSingle<T>(
  name: string,
  inside: Folder<T> | T[],
): [name: string, inside: Folder<T> | T[]] {
  const [only, ...others] = inside instanceof Map ? inside : [];
  return only && others.length === 0 && only[1] instanceof Map
    ? joinSingle(name + only[0], only[1])
    : [name, inside];
}

function addResults<T extends TreeResult>(
  rows: TreeRow<T>[],
  chunks: readonly T[],
  { key, level }: Parent,
): void {
  for (const [index, chunk] of chunks.entries()) {
    const position = { at: index + 1, of: chunks.length, parent: key, level };
    const name = chunk.chunk.qualifiedName;
    rows.push({ ...position, key: chunk.key, name, ...summarize([chunk]), open: null, chunk });
  }
}

function summarize(chunks: readonly TreeResult[]): { best: number | null; count: number } {
  const ranks = chunks.flatMap(({ chunk: { rank } }) => rank ?? []);
  return { best: ranks.length > 0 ? Math.min(...ranks) : null, count: chunks.length };
}

/** Folders and files that the user expanded (true) or collapsed (false), by key. */
export const useFolds = create<{ folds: ReadonlyMap<string, boolean> }>(() => ({
  folds: new Map(),
}));

export function setExpanded(key: string, open: boolean): void {
  useFolds.setState(({ folds }) => ({ folds: new Map([...folds, [key, open]]) }));
}

export function expandAncestors(path: string): void {
  useFolds.setState(({ folds }) => ({
    folds: new Map([...folds, ...listAncestors(path).map((key): [string, boolean] => [key, true])]),
  }));
}

export const followFolds = (): Stop =>
  onRepositoryChange(() => useFolds.setState({ folds: new Map() }));
