import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import { readSmallFile } from '../../base/git/special-files.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { MAX_REPOSITORIES } from '../../shared/limits.ts';
import { quoteText } from '../../shared/quote.ts';

/** Maximum depth of a repository below the given folder: `~/src/github.com/owner/name` needs four. */
const MAX_DEPTH = 4;
/** Maximum number of folders that are listed. */
const MAX_FOLDERS = 20_000;
/** Folders that are not searched, besides hidden ones. */
const SKIPPED = new Set(['node_modules', '__pycache__', 'venv', 'target', 'vendor']);
/** Maximum size in bytes of a file by which git points to another folder. */
const MAX_POINTER = 4096;

export interface DiscoveredRepositories {
  /** Absolute paths without links, sorted. */
  roots: string[];
  /** Notes for people about worktrees and folders that were skipped. */
  notes: string[];
}

interface Candidate {
  root: string;
  /** Folder of git's objects, which the worktrees of a repository share. */
  common: string;
  linked: boolean;
}

/**
 * Finds working trees and bare repositories in a folder, which may itself be one. Skips what is inside a repository, so submodules
 * stay part of it, and skips hidden folders, links, and folders like `node_modules`. For a repository with worktrees, finds only one
 * of them: the main one if it is there.
 * @throws LocusError `bad-repository` if the folder cannot be listed, has no repository, or has more than can be open together;
 * `cancelled`
 */
export async function findRepositories(
  folder: string,
  signal?: AbortSignal,
): Promise<DiscoveredRepositories> {
  const top = await realpath(resolve(folder)).catch(() => resolve(folder));
  const notes: string[] = [];
  const found: Candidate[] = [];
  let level = [top];
  let listed = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const path of level) {
      throwIfCancelled(signal, 'Looking for repositories');
      if (++listed > MAX_FOLDERS) break;
      const entries = await listFolder(path, path === top, notes);
      const candidate = await readRepository(path, entries);
      if (candidate) found.push(candidate);
      else next.push(...listFoldersToSearch(path, entries));
    }
    level = next;
  }
  if (listed > MAX_FOLDERS)
    notes.push(`${folder} has more than ${MAX_FOLDERS} folders, so some were not searched.`);
  const roots = skipWorktrees(found, notes);
  if (roots.length === 0)
    throw new LocusError(
      'bad-repository',
      `No repository was found in ${folder}, down to ${MAX_DEPTH} levels.`,
      'Name a folder closer to the repositories, or name each repository.',
    );
  if (roots.length > MAX_REPOSITORIES) throw createTooManyError(roots.length);
  return { roots, notes };
}

/** @throws LocusError `bad-input` */
export function createTooManyError(count: number): LocusError {
  return badInput(
    `${count} repositories are too many: at most ${MAX_REPOSITORIES} can be open together.`,
    'Name a folder with fewer repositories, or name the repositories.',
  );
}

async function listFolder(path: string, isTop: boolean, notes: string[]): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    const why = explainListingError(error);
    if (isTop)
      throw new LocusError('bad-repository', `${path} cannot be listed: ${why}.`, 'Name a folder.');
    notes.push(`${quoteText(path)} cannot be listed: ${why}.`);
    return [];
  }
}

function listFoldersToSearch(path: string, entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => (SKIPPED.has(name) ? [] : join(path, name)))
    .sort();
}

async function readRepository(path: string, entries: readonly Dirent[]): Promise<Candidate | null> {
  const git = entries.find(({ name }) => name === '.git');
  if (git?.isFile()) return readLinked(path);
  if (git) return { root: path, common: join(path, '.git'), linked: false };
  const names = new Set(entries.map(({ name }) => name));
  const isBare = ['HEAD', 'objects', 'refs'].every((name) => names.has(name));
  return isBare ? { root: path, common: path, linked: false } : null;
}

/** Reads a worktree or the checkout of a submodule, whose `.git` is a file that names the repository. */
function readLinked(path: string): Candidate {
  const itself = { root: path, common: join(path, '.git'), linked: false };
  const target = /^gitdir: (.+)$/m.exec(readPointer(join(path, '.git')))?.[1];
  if (!target) return itself;
  const own = resolve(path, target.trim());
  const common = readPointer(join(own, 'commondir')).trim();
  if (!common) return { ...itself, common: own };
  return { root: path, common: resolve(own, common), linked: true };
}

/** Returns the text of a small file of git, which may be a link; empty if it cannot be read. */
function readPointer(path: string): string {
  const file = readSmallFile(path, MAX_POINTER, { followLinks: true });
  return file && 'text' in file ? file.text : '';
}

function skipWorktrees(found: readonly Candidate[], notes: string[]): string[] {
  const taken: string[] = [];
  for (const worktrees of Map.groupBy(found, ({ common }) => common).values()) {
    const [first, ...others] = worktrees.toSorted((a, b) => Number(a.linked) - Number(b.linked));
    if (!first) continue;
    taken.push(first.root);
    const { common } = first;
    const main = quoteText(basename(common) === '.git' ? dirname(common) : common);
    for (const { root } of others)
      notes.push(`${quoteText(root)} was skipped: it is a worktree of ${main}.`);
  }
  return taken.sort();
}

/** Explains why a folder could not be listed; in the system's words if there are no better ones. */
export function explainListingError(error: unknown): string {
  const reasons: Record<string, string> = {
    ENOENT: 'the folder does not exist',
    ENOTDIR: 'it is not a folder',
    EACCES: 'permission denied',
  };
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && reasons[code]) ?? message;
}
