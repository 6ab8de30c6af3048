/** Runs a command on a workspace: the options `--repo` and `--workspace`. */

import { existsSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { throwIfCancelled } from '../base/cancel.ts';
import type { OpenRepositoryOptions } from '../services/open-repository.ts';
import {
  badInput,
  type Failure,
  formatFailure,
  isCancelled,
  LocusError,
  toFailure,
} from '../shared/errors.ts';
import { rejectEmptyPath } from '../shared/folders.ts';
import { MAX_REPOSITORIES } from '../shared/limits.ts';
import { quoteName } from '../shared/quote.ts';
import type { Repository } from '../shared/repository.ts';
import type { SearchResponse } from '../shared/search.ts';
import { EXIT, EXIT_BY_ERROR, type ExitCode } from './exit-codes.ts';
import {
  collect,
  isFast,
  type RepositoryCliOptions,
  type RerankOptions,
  toOpenOptions,
} from './options.ts';
import type { Session } from './session.ts';

export interface WorkspaceOptions extends RepositoryCliOptions {
  repo?: string[];
  workspace?: boolean;
}

export interface NamedRepository {
  name: string;
  root: string;
}

export function withWorkspaceOptions(command: Command): Command {
  return command
    .option('--repo <folder>', 'search this repository too, in one list; can be repeated', collect)
    .option('--workspace', 'search every repository inside the folder, in one list');
}

/**
 * Splits the words of a command into folders and the issue. With `--repo`, all words are the issue, except a first word that
 * is written as a path (`.`, `../web`, `/src/web`) and is a folder. Without it, the first word is the folder. If the first word
 * has spaces and is not a path, it is the issue, and the folder comes last. By default, the folder is the current one.
 */
export function splitWords(
  words: readonly string[],
  { repo = [] }: WorkspaceOptions,
): { folders: string[]; words: string[] } {
  const [first, ...others] = words;
  if (first === undefined) return { folders: repo.length > 0 ? repo : ['.'], words: [] };
  if (repo.length > 0 && !isFolderPath(first)) return { folders: repo, words: [...words] };
  const last = others.at(-1);
  if (repo.length > 0 || !isText(first) || (last !== undefined && !isFolder(last)))
    return { folders: [first, ...repo], words: others };
  const text = last === undefined ? words : words.slice(0, -1);
  return { folders: [last ?? '.'], words: [...text] };
}

const isText = (word: string): boolean => word === '-' || (/\s/.test(word) && !existsSync(word));

function isFolderPath(word: string): boolean {
  const isPath = /^(?:[.~/\\]|[A-Za-z]:[\\/])/.test(word) && !word.includes('\n');
  return isPath && isFolder(word);
}

const isFolder = (word: string): boolean =>
  statSync(word, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Returns the repositories of the workspace, without duplicates; null for a single folder.
 * @throws LocusError `bad-input` without any or with too many, `bad-repository` if `--workspace` finds none
 */
export async function resolveWorkspace(
  folders: readonly string[],
  { workspace = false }: WorkspaceOptions,
  session: Session,
): Promise<NamedRepository[] | null> {
  if (folders.length === 0) throw noFolder();
  folders.forEach(rejectEmptyPath);
  if (folders.length === 1 && !workspace) return null;
  const { findRepositories, createTooManyError } = await import(
    '../services/workspace/discover.ts'
  );
  const { nameRepositories } = await import('../services/workspace/names.ts');
  const roots = new Set<string>();
  for (const folder of folders) {
    const found = workspace
      ? await findRepositories(folder, session.host.signal)
      : { roots: [await realpath(resolve(folder)).catch(() => resolve(folder))], notes: [] };
    for (const root of found.roots) roots.add(root);
    for (const note of found.notes) session.note(`locus: ${note}`);
  }
  if (roots.size > MAX_REPOSITORIES) throw createTooManyError(roots.size);
  const all = [...roots];
  return nameRepositories(all).map((name, i) => ({ name, root: all[i] ?? '' }));
}

/** Result for one repository, or the error. */
export type RepositoryOutcome<T> = NamedRepository & ({ result: T } | { failure: LocusError });

/** Runs `use` on each repository, one open at a time. If one fails, prints the error and continues with the next. */
export async function runOnEach<T>(
  repositories: readonly NamedRepository[],
  options: OpenRepositoryOptions,
  session: Session,
  use: (repository: Repository) => Promise<T>,
): Promise<RepositoryOutcome<T>[]> {
  const outcomes: RepositoryOutcome<T>[] = [];
  for (const named of repositories) {
    throwIfCancelled(session.host.signal, 'The command');
    try {
      outcomes.push({ ...named, result: await session.withRepository(named.root, options, use) });
    } catch (error) {
      if (!(error instanceof LocusError) || isCancelled(error)) throw error;
      noteFailure(named.name, error, session);
      outcomes.push({ ...named, failure: error });
    }
  }
  return outcomes;
}

/** Returns the workspace as one repository. Each member is opened for queries that are asked together, and updated at its first. */
export async function openWorkspace(
  repositories: readonly NamedRepository[],
  options: RepositoryCliOptions & RerankOptions,
  session: Session,
) {
  const { joinRepositories } = await import('../services/workspace/join-repositories.ts');
  const { shareOpening } = await import('../services/workspace/share-opening.ts');
  const updated = new Set<string>();
  const history = !isFast(options, session.host.env);
  const useMember = shareOpening((root: string, run: (repository: Repository) => Promise<void>) =>
    session.withRepository(root, toOpenOptions(options, session.host), async (repository) => {
      if (!updated.has(root)) await session.refresh(repository, { history });
      updated.add(root);
      await run(repository);
    }),
  );
  return joinRepositories(
    repositories.map(({ name, root }) => ({
      name,
      root,
      staysOpen: false,
      use: (run) => useMember(root, run),
    })),
  );
}

/** Returns the JSON of an outcome, with name and folder of the repository. */
export function outcomeToJson<T>(outcome: RepositoryOutcome<T>): object {
  const { name, root } = outcome;
  if ('result' in outcome) return { repository: name, ...outcome.result, root };
  return { repository: name, root, error: toFailure(outcome.failure) };
}

/** Returns the exit code of the first failure; `EXIT.ok` without one. */
export function getExitCode<T>(outcomes: readonly RepositoryOutcome<T>[]): ExitCode {
  const failed = outcomes.find((one) => 'failure' in one);
  return failed && 'failure' in failed ? EXIT_BY_ERROR[failed.failure.code] : EXIT.ok;
}

const noFolder = () =>
  badInput(
    'No repository is given.',
    'Give a folder, or --repo <folder> once for each repository.',
  );

/** Prints to standard error which repositories of a workspace failed, and why. */
export function noteFailures({ repositories = [] }: SearchResponse, session: Session): void {
  for (const { name, failure } of repositories) if (failure) noteFailure(name, failure, session);
}

function noteFailure(name: string, failure: Failure, session: Session): void {
  session.note(`locus: ${quoteName(name)}: ${formatFailure(failure)}`);
}
