import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfCancelled } from '../../base/cancel.ts';
import { decodeName } from '../../base/decode-source.ts';
import { getParent } from '../../shared/address.ts';
import { getUnsupportedLanguage } from '../languages/unsupported.ts';
import { isAttributeFile } from './attributes.ts';
import type { CandidateList } from './candidates.ts';
import { IGNORE_FILE, IgnoreRules } from './ignore-rules.ts';

/** Number of folders after which other work of this thread gets a turn. */
const FOLDERS_PER_TURN = 50;

/**
 * Lists a folder without git: walks it, applies `.gitignore` files at every level, follows no links. Adds included files.
 * If the folder is a git repository (and git is missing), nested repositories are reported and not entered.
 * In a plain folder of repositories, they are walked like any other folder.
 * Rejects with LocusError `cancelled`.
 * @returns the folders that were read
 */
export async function listFolder(
  root: string,
  candidates: CandidateList,
  only?: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const rules = new IgnoreRules(root);
  const { selection } = candidates;
  const isRepository = existsSync(join(root, '.git'));
  const neededFolders = only && collectParentFolders(only);
  const pending = [''];
  const read: string[] = [];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (read.push(folder) % FOLDERS_PER_TURN === 0) await nextTurn();
    throwIfCancelled(signal, 'Reading the repository');
    const children = readChildren(root, folder, candidates);
    if (isRepository && folder !== '' && children.some((child) => child.name === '.git')) {
      candidates.addSubmodule(Buffer.from(folder), 'a separate git repository');
      continue;
    }
    if (!children.some(isIgnoreFile)) rules.markWithoutRules(folder);
    for (const child of children) {
      if (!candidates.hasRoom()) return read;
      const name = joinName(folder, child.name);
      const { path, printable } = decodeName(name);
      if (!child.isFolder) {
        // The cheap test comes first, since most files in most folders are in no known language.
        const isOfInterest =
          candidates.accepts(printable) ||
          isAttributeFile(printable) ||
          getUnsupportedLanguage(printable) !== null;
        if (!isOfInterest) continue;
        if (path !== null && (only?.has(path) === false || isIgnored(path))) continue;
        candidates.addFile(name);
      } else if (path === null) {
        candidates.addSkipped({
          path: `${printable}/`,
          reason: 'unreadable',
          detail: 'its name is not UTF-8',
        });
      } else if (shouldEnter(path, child.name)) {
        pending.push(path);
      }
    }
  }
  for (const file of rules.unreadable) candidates.addSkipped(file);
  return read;

  function isIgnored(path: string): boolean {
    return rules.ignores(path, false) && !selection.includes(path);
  }

  function shouldEnter(path: string, name: Buffer | string): boolean {
    if (name === '.git' || neededFolders?.has(path) === false) return false;
    if (rules.ignores(path, true) && !selection.entersIgnored(path)) return false;
    const excluded = selection.excludes(`${path}/`);
    if (excluded) candidates.addSkipped(excluded);
    return !excluded;
  }
}

interface Child {
  /** Name as a string, or as bytes if it is not UTF-8. */
  name: Buffer | string;
  isFolder: boolean;
}

/** Replacement character for bytes that are not UTF-8. Few names contain it otherwise. */
const REPLACEMENT = '\ufffd';

function readChildren(root: string, folder: string, candidates: CandidateList): Child[] {
  const path = join(root, folder);
  try {
    const children = readdirSync(path, { withFileTypes: true });
    if (!children.some(({ name }) => name.includes(REPLACEMENT))) return children.map(createChild);
    return readdirSync(path, { encoding: 'buffer', withFileTypes: true }).map(createChild);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A folder that disappeared in the meantime need not be reported.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      candidates.addSkipped({ path: `${folder}/`, reason: 'unreadable', detail: message });
    }
    return [];
  }
}

/** Returns true for an ignore file. Ignores case, because some file systems do. */
function isIgnoreFile({ name }: Child): boolean {
  return typeof name === 'string' && name.toLowerCase() === IGNORE_FILE;
}

function createChild(entry: Dirent<Buffer> | Dirent): Child {
  const name = decodeName(entry.name).path ?? entry.name;
  return { name, isFolder: entry.isDirectory() };
}

function joinName(folder: string, name: Buffer | string): Buffer | string {
  if (folder === '') return name;
  return typeof name === 'string'
    ? `${folder}/${name}`
    : Buffer.concat([Buffer.from(`${folder}/`), name]);
}

/** Adds all folders above a path, except for the root. `folders` must have been filled by this function. */
export function addParentFolders(path: string, folders: Set<string>): void {
  for (let at = getParent(path); at !== '' && !folders.has(at); at = getParent(at)) folders.add(at);
}

function collectParentFolders(paths: ReadonlySet<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) addParentFolders(path, folders);
  return folders;
}
