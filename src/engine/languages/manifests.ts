/** What module resolvers of several languages need of manifests: the folders that one is about, and what is read of its text. */
import { getParent } from '../../shared/address.ts';
import type { ManifestEntry } from './facts.ts';

/** The folders around a path, innermost first; the root, which is empty, last. */
export function foldersAround(path: string): string[] {
  const folders: string[] = [];
  for (let folder = path; folder !== ''; ) {
    folder = getParent(folder);
    folders.push(folder);
  }
  return folders;
}

/**
 * What a look-up that asked for the manifests of a folder depends on, as `Imported.names` has it. One that asked for those
 * around a path depends on all of its folders: a manifest may come to be in each.
 */
export function manifestKey(folder: string): string {
  return `${folder}/`;
}

/** A path relative to a folder, without `.` and `..`; null for one that leads out of the repository. */
export function within(folder: string, path: string): string | null {
  const names = folder === '' ? [] : folder.split('/');
  for (const name of path.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return null;
    } else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}

/** Whether a path is a folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Of some folders, the one that shares most names with a path; null where that is not one, or there are none. */
export function nearestTo(path: string, folders: readonly string[]): string | null {
  const own = path.split('/');
  const shared = (folder: string) => {
    const differs = folder.split('/').findIndex((name, i) => name !== own[i]);
    return differs < 0 ? own.length : differs;
  };
  const counts = folders.map(shared);
  const most = Math.max(...counts);
  const nearest = folders.filter((_, i) => counts[i] === most);
  return nearest.length === 1 ? (nearest[0] ?? null) : null;
}

/** A value that was read from a manifest: nothing is known of its type. */
export type Json = unknown;

/** The fields of an object; none of anything else. */
export function fieldsOf(value: Json): [string, Json][] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.entries(value) : [];
}

/** A field of an object; undefined where there is none. */
export function fieldOf(value: Json, name: string): Json {
  return fieldsOf(value).find(([key]) => key === name)?.[1];
}

/** The texts among some values, or the value itself if it is one. */
export function textsOf(value: Json): string[] {
  const values: Json[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}

/** An entry for a field that is a text or several; none where it is not. */
export function entryOf(kind: string, value: Json): ManifestEntry[] {
  const to = textsOf(value);
  return to.length === 0 ? [] : [{ kind, name: '', to }];
}
