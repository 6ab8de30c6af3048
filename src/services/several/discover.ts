import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import { readSmallFile } from '../../base/git/special-files.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import { MOST_REPOSITORIES } from '../../shared/limits.ts';
import { quoted } from '../../shared/quoted.ts';

/** Folders below the given one that repositories are looked for in: `~/src/github.com/owner/name` is four. */
const DEPTH = 4;
/** Folders that are listed at most. */
const MOST_FOLDERS = 20_000;
/** Not entered, beside hidden folders. */
const SKIPPED = new Set(['node_modules', '__pycache__', 'venv', 'target', 'vendor']);
/** Bytes of the files by which git points elsewhere. */
const MOST_POINTER = 4096;

export interface Discovered {
  /** Whole paths without links, in order of path. */
  roots: string[];
  /** What a person should know: worktrees and folders that were left out. */
  notes: string[];
}

interface Candidate {
  root: string;
  /** Where git keeps its objects: the same for the worktrees of a repository. */
  common: string;
  linked: boolean;
}

/**
 * Finds working trees and bare repositories in a folder, which may be one itself. What lies in a repository is not looked
 * at, so submodules stay what they are; nor are hidden folders, `node_modules` and the like, and links. Of a repository
 * and its worktrees one is taken, the main one if it is there.
 * @throws LocusError `bad-repository` when the folder cannot be listed, has no repository, or has more than may be open
 * together; `cancelled`
 */
export async function findRepositories(folder: string, signal?: AbortSignal): Promise<Discovered> {
  const top = await realpath(resolve(folder)).catch(() => resolve(folder));
  const notes: string[] = [];
  const found: Candidate[] = [];
  let level = [top];
  let listed = 0;
  for (let depth = 0; depth <= DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const path of level) {
      throwIfCancelled(signal, 'Looking for repositories');
      if (++listed > MOST_FOLDERS) break;
      const entries = await list(path, path === top, notes);
      const candidate = await repositoryAt(path, entries);
      if (candidate) found.push(candidate);
      else next.push(...enterable(path, entries));
    }
    level = next;
  }
  if (listed > MOST_FOLDERS)
    notes.push(`${folder} has more than ${MOST_FOLDERS} folders; some were not looked at`);
  const roots = withoutWorktrees(found, notes);
  if (roots.length === 0)
    throw new LocusError(
      'bad-repository',
      `no repository is in ${folder}, ${DEPTH} folders deep`,
      'name the folder that they lie in, or each of them',
    );
  if (roots.length > MOST_REPOSITORIES) throw tooMany(roots.length);
  return { roots, notes };
}

/** @throws LocusError `bad-input` */
export function tooMany(count: number): LocusError {
  return badInput(
    `${count} repositories are more than can be open together (${MOST_REPOSITORIES})`,
    'name a folder with fewer, or the repositories themselves',
  );
}

async function list(path: string, isTop: boolean, notes: string[]): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    const why = whyUnlisted(error);
    if (isTop)
      throw new LocusError('bad-repository', `${path} cannot be listed: ${why}`, 'name a folder');
    notes.push(`${quoted(path)} cannot be listed: ${why}`);
    return [];
  }
}

function enterable(path: string, entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => (SKIPPED.has(name) ? [] : join(path, name)))
    .sort();
}

async function repositoryAt(path: string, entries: readonly Dirent[]): Promise<Candidate | null> {
  const git = entries.find(({ name }) => name === '.git');
  if (git?.isFile()) return linkedAt(path);
  if (git) return { root: path, common: join(path, '.git'), linked: false };
  const names = new Set(entries.map(({ name }) => name));
  const isBare = ['HEAD', 'objects', 'refs'].every((name) => names.has(name));
  return isBare ? { root: path, common: path, linked: false } : null;
}

/** A worktree, or the checkout of a submodule: its `.git` is a file that says where the repository is. */
function linkedAt(path: string): Candidate {
  const itself = { root: path, common: join(path, '.git'), linked: false };
  const target = /^gitdir: (.+)$/m.exec(pointer(join(path, '.git')))?.[1];
  if (!target) return itself;
  const own = resolve(path, target.trim());
  const common = pointer(join(own, 'commondir')).trim();
  if (!common) return { ...itself, common: own };
  return { root: path, common: resolve(own, common), linked: true };
}

/** Returns the text of a small file of git, which may be a link as git takes it; empty for one that cannot be read. */
function pointer(path: string): string {
  const file = readSmallFile(path, MOST_POINTER, { followLinks: true });
  return file && 'text' in file ? file.text : '';
}

function withoutWorktrees(found: readonly Candidate[], notes: string[]): string[] {
  const taken: string[] = [];
  for (const of of Map.groupBy(found, ({ common }) => common).values()) {
    const [first, ...others] = of.toSorted((a, b) => Number(a.linked) - Number(b.linked));
    if (!first) continue;
    taken.push(first.root);
    const { common } = first;
    const main = quoted(basename(common) === '.git' ? dirname(common) : common);
    for (const { root } of others)
      notes.push(`${quoted(root)} is a worktree of ${main}, which is searched once`);
  }
  return taken.sort();
}

/** Why a folder could not be listed, in words; the system's own where they are all there is. */
export function whyUnlisted(error: unknown): string {
  const reasons: Record<string, string> = {
    ENOENT: 'there is no such folder',
    ENOTDIR: 'it is not a folder',
    EACCES: 'it may not be read',
  };
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && reasons[code]) ?? message;
}
