import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfCancelled } from '../../base/cancel.ts';
import { decodeName } from '../../base/decode-source.ts';
import { getParent } from '../../shared/address.ts';
import { unreadKindOf } from '../languages/unread.ts';
import { isAttributeFile } from './attributes.ts';
import type { CandidateList } from './candidates.ts';
import type { Exclusion } from './gitignore.ts';
import { IGNORE_FILE, IgnoreRules } from './ignore-rules.ts';

/** Folders read between two chances for other work of this thread. */
const FOLDERS_PER_TURN = 50;

/**
 * Lists a folder without git's help: walks it, honours `.gitignore` files at every level, follows no links.
 * If the folder is a git repository (and git is missing), repositories inside it are named and not entered;
 * in a plain folder of repositories they are walked like any other folder.
 * Rejects with LocusError `cancelled`.
 * @returns the folders that it has read
 */
export async function listFolder(
  root: string,
  candidates: CandidateList,
  excludes: Exclusion,
  only?: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const rules = new IgnoreRules(root);
  const isRepository = existsSync(join(root, '.git'));
  const onTheWay = only && foldersOf(only);
  const pending = [''];
  const read: string[] = [];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (read.push(folder) % FOLDERS_PER_TURN === 0) await nextTurn();
    throwIfCancelled(signal, 'Reading the repository');
    const children = childrenOf(root, folder, candidates);
    if (isRepository && folder !== '' && children.some((child) => child.name === '.git')) {
      candidates.submodule(Buffer.from(folder), 'a git repository of its own');
      continue;
    }
    if (!children.some(isIgnoreFile)) rules.hasNone(folder);
    for (const child of children) {
      if (!candidates.hasRoom()) return read;
      const name = nameIn(folder, child.name);
      const { path, printable } = decodeName(name);
      if (!child.isFolder) {
        // The cheap question first: most files of most folders are of no known language.
        const isOfInterest =
          candidates.accepts(printable) ||
          isAttributeFile(printable) ||
          unreadKindOf(printable) !== null;
        if (!isOfInterest) continue;
        if (path !== null && (only?.has(path) === false || rules.ignores(path, false))) continue;
        candidates.file(name);
      } else if (path === null) {
        candidates.skip({
          path: `${printable}/`,
          reason: 'unreadable',
          detail: 'its name is not UTF-8',
        });
      } else if (enters(path, child.name)) {
        pending.push(path);
      }
    }
  }
  for (const file of rules.unread) candidates.skip(file);
  return read;

  function enters(path: string, name: Buffer | string): boolean {
    if (name === '.git' || onTheWay?.has(path) === false || rules.ignores(path, true)) return false;
    const excluded = excludes(`${path}/`);
    if (excluded) candidates.skip(excluded);
    return !excluded;
  }
}

interface Child {
  /** Bytes where they are no UTF-8. */
  name: Buffer | string;
  isFolder: boolean;
}

/** What stands for bytes that are no UTF-8, and is in few names otherwise. */
const REPLACEMENT = '\ufffd';

function childrenOf(root: string, folder: string, candidates: CandidateList): Child[] {
  const path = join(root, folder);
  try {
    const children = readdirSync(path, { withFileTypes: true });
    if (!children.some(({ name }) => name.includes(REPLACEMENT))) return children.map(childOf);
    return readdirSync(path, { encoding: 'buffer', withFileTypes: true }).map(childOf);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A folder that vanished since it was seen is no news.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      candidates.skip({ path: `${folder}/`, reason: 'unreadable', detail: message });
    }
    return [];
  }
}

/** In whatever letters: file systems differ in what is the same name. */
function isIgnoreFile({ name }: Child): boolean {
  return typeof name === 'string' && name.toLowerCase() === IGNORE_FILE;
}

function childOf(entry: Dirent<Buffer> | Dirent): Child {
  const name = decodeName(entry.name).path ?? entry.name;
  return { name, isFolder: entry.isDirectory() };
}

function nameIn(folder: string, name: Buffer | string): Buffer | string {
  if (folder === '') return name;
  return typeof name === 'string'
    ? `${folder}/${name}`
    : Buffer.concat([Buffer.from(`${folder}/`), name]);
}

/** Adds the folders above a path, but for the root, to folders that were added so. */
export function addParentFolders(path: string, folders: Set<string>): void {
  for (let at = getParent(path); at !== '' && !folders.has(at); at = getParent(at)) folders.add(at);
}

function foldersOf(paths: ReadonlySet<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) addParentFolders(path, folders);
  return folders;
}
