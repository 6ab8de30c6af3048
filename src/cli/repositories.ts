/** `--repo` and `--each`: one command on several repositories. */

import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { throwIfCancelled } from '../base/cancel.ts';
import type { OpenOptions } from '../services/open-repository.ts';
import {
  badInput,
  type Failure,
  inSentences,
  isCancelled,
  LocusError,
  toWire,
} from '../shared/errors.ts';
import { refuseEmptyPath } from '../shared/folders.ts';
import { MOST_REPOSITORIES } from '../shared/limits.ts';
import { named } from '../shared/quoted.ts';
import type { Repository } from '../shared/repository.ts';
import type { SearchResponse } from '../shared/search.ts';
import { EXIT, EXIT_BY_ERROR, type ExitCode } from './exit-codes.ts';
import { collect, openOptions, type RepositoryOptions } from './options.ts';
import type { Session } from './session.ts';

export interface SeveralOptions extends RepositoryOptions {
  repo?: string[];
  each?: boolean;
}

export interface NamedRepository {
  name: string;
  root: string;
}

export function withSeveral(command: Command): Command {
  return command
    .option('--repo <folder>', 'a repository to search; may be given again', collect)
    .option('--each', 'search each repository in the folder, instead of the folder as one');
}

/**
 * What the words of a command are: folders, then the issue. With `--repo` all of them are the issue, but for a first one
 * that is written as a path (`.`, `../web`, `/src/web`) and is a folder.
 */
export function readWords(
  words: readonly string[],
  { repo = [] }: SeveralOptions,
): { folders: string[]; words: string[] } {
  const [first, ...others] = words;
  const isFolder = repo.length === 0 || (first !== undefined && isPathOfFolder(first));
  return first === undefined || !isFolder
    ? { folders: repo, words: [...words] }
    : { folders: [first, ...repo], words: others };
}

function isPathOfFolder(word: string): boolean {
  const isPath = /^(?:[.~/\\]|[A-Za-z]:[\\/])/.test(word) && !word.includes('\n');
  return isPath && (statSync(word, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

/**
 * The repositories that are meant, each once; null where it is one folder, to be taken as it is.
 * @throws LocusError `bad-input` without any or with too many, `bad-repository` where `--each` finds none
 */
export async function severalOf(
  folders: readonly string[],
  { each = false }: SeveralOptions,
  session: Session,
): Promise<NamedRepository[] | null> {
  if (folders.length === 0) throw noFolder();
  folders.forEach(refuseEmptyPath);
  if (folders.length === 1 && !each) return null;
  const { findRepositories, tooMany } = await import('../services/several/discover.ts');
  const { namesOf } = await import('../services/several/names.ts');
  const roots = new Set<string>();
  for (const folder of folders) {
    const found = each
      ? await findRepositories(folder, session.host.signal)
      : { roots: [await realpath(resolve(folder)).catch(() => resolve(folder))], notes: [] };
    for (const root of found.roots) roots.add(root);
    for (const note of found.notes) session.note(`locus: ${note}`);
  }
  if (roots.size > MOST_REPOSITORIES) throw tooMany(roots.size);
  const all = [...roots];
  return namesOf(all).map((name, i) => ({ name, root: all[i] ?? '' }));
}

/** What one repository came to, or why it came to nothing. */
export type OutcomeOf<T> = NamedRepository & ({ result: T } | { failure: LocusError });

/** Runs on each in turn, one open at a time. A failure is told, and the others go on. */
export async function onEach<T>(
  repositories: readonly NamedRepository[],
  options: OpenOptions,
  session: Session,
  use: (repository: Repository) => Promise<T>,
): Promise<OutcomeOf<T>[]> {
  const outcomes: OutcomeOf<T>[] = [];
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

/** The repositories as one that answers; each is brought up to date when it is first asked, and open while it is. */
export async function openSeveral(
  repositories: readonly NamedRepository[],
  options: RepositoryOptions,
  session: Session,
) {
  const { joinRepositories } = await import('../services/several/several.ts');
  const current = new Set<string>();
  return joinRepositories(
    repositories.map(({ name, root }) => ({
      name,
      root,
      staysOpen: false,
      use: (run) =>
        session.withRepository(root, openOptions(options, session.host), async (repository) => {
          if (!current.has(root)) await session.refresh(repository);
          current.add(root);
          return run(repository);
        }),
    })),
  );
}

/** For programs: what it came to, with its name and folder. */
export function asJson<T>(outcome: OutcomeOf<T>): object {
  const { name, root } = outcome;
  if ('result' in outcome) return { repository: name, ...outcome.result, root };
  return { repository: name, root, error: toWire(outcome.failure) };
}

/** The first failure's, if there is one. */
export function codeOf<T>(outcomes: readonly OutcomeOf<T>[]): ExitCode {
  const failed = outcomes.find((one) => 'failure' in one);
  return failed && 'failure' in failed ? EXIT_BY_ERROR[failed.failure.code] : EXIT.ok;
}

const noFolder = () =>
  badInput('no repository given', 'give a folder, or --repo <folder> for each of several');

/** Says on standard error which of several repositories did not answer, and why. */
export function noteFailures({ repositories = [] }: SearchResponse, session: Session): void {
  for (const { name, failure } of repositories) if (failure) noteFailure(name, failure, session);
}

function noteFailure(name: string, failure: Failure, session: Session): void {
  session.note(`locus: ${named(name)}: ${inSentences(failure)}`);
}
