/** Helpers for the manifests of several languages: paths relative to a manifest, and values read from it. */
import { getParent } from '../../shared/address.ts';
import type { ManifestEntry } from './facts.ts';

/** Returns the folders around a path, innermost first. The root, which is the empty path, comes last. */
export function listFoldersAround(path: string): string[] {
  const folders: string[] = [];
  for (let folder = path; folder !== ''; ) {
    folder = getParent(folder);
    folders.push(folder);
  }
  return folders;
}

/**
 * Returns the name, for `ImportTarget.names`, on which a look-up depends if it uses the manifests of a folder. One that uses
 * the manifests around a path depends on all of its folders, since a manifest may be added to each.
 */
export function formatManifestKey(folder: string): string {
  return `${folder}/`;
}

/** Resolves a path relative to a folder, without `.` and `..`. Returns null if it is outside the repository. */
export function resolveWithin(folder: string, path: string): string | null {
  const names = folder === '' ? [] : folder.split('/');
  for (const name of path.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return null;
    } else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}

/** Returns true if a path is a folder or is in it. */
export function isWithin(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Returns the folder that shares the most leading names with a path; null if none exists, or more than one. */
export function findNearest(path: string, folders: readonly string[]): string | null {
  const own = path.split('/');
  const countShared = (folder: string) => {
    const differs = folder.split('/').findIndex((name, i) => name !== own[i]);
    return differs < 0 ? own.length : differs;
  };
  const counts = folders.map(countShared);
  const most = Math.max(...counts);
  const nearest = folders.filter((_, i) => counts[i] === most);
  return nearest.length === 1 ? (nearest[0] ?? null) : null;
}

/** Value read from a manifest, of unknown type. */
export type JsonValue = unknown;

/** Returns the fields of an object; none for any other value. */
export function getFields(value: JsonValue): [string, JsonValue][] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.entries(value) : [];
}

/** Returns a field of an object; undefined if it is missing. */
export function getField(value: JsonValue, name: string): JsonValue {
  return getFields(value).find(([key]) => key === name)?.[1];
}

/** Returns the strings in an array, or the value itself if it is a string. */
export function getTexts(value: JsonValue): string[] {
  const values: JsonValue[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}

/** Creates an entry for a field that is a string or an array of strings; none for any other value. */
export function createEntries(kind: string, value: JsonValue): ManifestEntry[] {
  const to = getTexts(value);
  return to.length === 0 ? [] : [{ kind, name: '', to }];
}
