/** Options that several commands share, and how their values are read. */
import { type Command, InvalidArgumentError } from 'commander';
import { untilCancelled } from '../base/cancel.ts';
import { readVariable } from '../base/environment.ts';
import { FileTooLarge, readWhole } from '../base/named-file.ts';
import type { OpenOptions } from '../services/open-repository.ts';
import { CHUNK_KINDS, type ChunkKind } from '../shared/chunk.ts';
import { decodeText } from '../shared/decode-text.ts';
import { DEVICE_CHOICES, type Device } from '../shared/devices.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import { grouped } from '../shared/grouped.ts';
import * as limits from '../shared/limits.ts';
import type { Repository } from '../shared/repository.ts';
import { type SearchRequest, TEST_RULES, type TestRule } from '../shared/search.ts';
import type { Host, Session } from './session.ts';

export interface RepositoryOptions {
  at?: string;
  model?: string;
  device?: Device;
  exclude?: string[];
  dataDir?: string;
}

export interface RefineOptions {
  fast?: boolean;
  readSeconds?: number;
}

export interface SearchOptions extends RepositoryOptions, RefineOptions {
  file?: string;
  limit: number;
  tests: TestRule;
  path?: string[];
  package?: string[];
  kind?: ChunkKind[];
}

export function withRepositoryOptions(command: Command): Command {
  return withEngineOptions(
    command.option(
      '--at <revision>',
      'search a commit, branch or tag instead of the files on disk',
      notEmpty,
    ),
  );
}

export function withEngineOptions(command: Command): Command {
  return command
    .option(
      '--exclude <glob>',
      'leave these paths out of the index; may be given again',
      collectSome,
    )
    .option('--model <id or folder>', 'the model to encode with', notEmpty)
    .option(
      '--device <device>',
      `where the model runs: ${DEVICE_CHOICES.join(', ')}`,
      oneOf(DEVICE_CHOICES),
    )
    .option('--data-dir <folder>', 'where indexes are kept (or set LOCUS_DATA_DIR)');
}

export function withSearchOptions(command: Command): Command {
  return withRepositoryOptions(withIssueOptions(withRefineOptions(command))).option(
    '--package <name>',
    'keep only this package of a monorepo, by its name or folder; may be given again',
    collectSome,
  );
}

export function withIssueOptions(command: Command): Command {
  return command
    .option('-f, --file <file>', 'read the issue from a file; - is standard input')
    .option(
      '-n, --limit <count>',
      `results at most (1 to ${limits.MOST_RESULTS})`,
      integer(1, limits.MOST_RESULTS),
      limits.DEFAULT_RESULTS,
    )
    .option(
      '--tests <how>',
      'tests, examples, docs, vendored and generated code: demote, exclude or include',
      oneOf(TEST_RULES),
      'demote',
    )
    .option('--path <glob>', 'keep only these paths; may be given again', collectSome)
    .option(
      '--kind <kind>',
      `keep only this kind (${CHUNK_KINDS.join(', ')}); may be given again`,
      collectOneOf(CHUNK_KINDS),
    );
}

export function withRefineOptions(command: Command): Command {
  return command
    .option('--fast', 'the first list, which no model has read (or set LOCUS_FAST=1)')
    .option(
      '--read-seconds <seconds>',
      `how long models may read the first ${limits.MOST_READ} results (${limits.READING_MS / 1000})`,
      seconds(limits.MOST_READING_MS / 1000),
    );
}

/** The part of a search request that these options and the environment are; nothing where they say nothing. */
export function toRefine(
  { fast, readSeconds }: RefineOptions,
  env: Host['env'],
): Pick<SearchRequest, 'refine'> {
  if (fast || readVariable('LOCUS_FAST', env)) return { refine: { read: 0 } };
  return readSeconds === undefined ? {} : { refine: { milliseconds: 1000 * readSeconds } };
}

export function openOptions(
  { at, dataDir, model, device, exclude }: RepositoryOptions,
  host: Host,
): OpenOptions {
  return {
    revision: at,
    dataDir: dataDir ?? readVariable('LOCUS_DATA_DIR', host.env),
    model,
    device,
    exclude,
  };
}

/** Opens a repository whose index was brought up to date, for as long as `use` runs. */
export function withCurrent<T>(
  session: Session,
  dir: string,
  options: RepositoryOptions,
  use: (repository: Repository) => Promise<T>,
): Promise<T> {
  return session.withRepository(dir, openOptions(options, session.host), async (repository) => {
    await session.refresh(repository);
    return use(repository);
  });
}

export function toSearchRequest(
  issue: string,
  options: SearchOptions,
  env: Host['env'],
): SearchRequest {
  const { limit, tests, path: paths, kind: kinds, package: packages } = options;
  return {
    issue,
    limit,
    tests,
    ...(paths && { paths }),
    ...(packages && { packages }),
    ...(kinds && { kinds }),
    ...toRefine(options, env),
  };
}

/**
 * The issue's text: the words given, or the file of `--file`, or standard input for `-`.
 *
 * @throws LocusError `bad-input` when there is none, or more than one source.
 */
export async function readIssue(
  host: Host,
  words: string[],
  file: string | undefined,
): Promise<string> {
  if (words.length > 0 && file !== undefined) {
    throw badInput('the issue is given twice, as text and with --file', 'give one of them');
  }
  const source = words.length === 1 && words[0] === '-' ? '-' : file;
  if (source === '-' && host.stdin.isTTY)
    host.stderr.write('Type or paste the issue, then Ctrl-D on a line of its own.\n');
  const text = source === undefined ? words.join(' ') : await readIssueFile(host, source);
  if (text.trim() === '') {
    throw badInput(
      words.length > 0 || file !== undefined ? 'the issue is empty' : 'no issue given',
      'give its text, or --file issue.md, or - to read standard input',
    );
  }
  return text;
}

async function readIssueFile(host: Host, file: string): Promise<string> {
  const text = await readTextFile(host, file, { what: 'an issue', maxBytes: 4 * limits.MAX_ISSUE });
  if (text.length <= limits.MAX_ISSUE) return text;
  throw badInput(
    `the issue in ${file === '-' ? 'standard input' : file} is longer than ${limits.MAX_ISSUE / 1e6} million characters`,
    'give the part that matters',
  );
}

/** The largest file of data or of a report, bytes. */
export const MAX_DATA = 1_000_000_000;

/**
 * Reads a text file given on the command line, of whatever kind; `-` is standard input.
 * @param limits.what describes the file in errors, such as "an issue".
 * @throws LocusError `bad-input` when it cannot be read or is larger than `maxBytes`; `cancelled`
 */
export async function readTextFile(
  { stdin, signal }: Pick<Host, 'stdin' | 'signal'>,
  file: string,
  { what, maxBytes }: { what: string; maxBytes: number },
): Promise<string> {
  const name = file === '-' ? 'standard input' : file;
  try {
    return decodeText(
      file === '-'
        ? await readStdin(stdin, maxBytes, signal)
        : await readWhole(file, { maxBytes, signal }),
    );
  } catch (error) {
    if (error instanceof LocusError) throw error;
    if (error instanceof FileTooLarge)
      throw badInput(
        `${name} is too large for ${what}.`,
        `Give a file of at most ${grouped(maxBytes)} bytes.`,
      );
    throw badInput(`cannot read ${name}: ${reasonOf(error)}`, `give the path of ${what}`, {
      cause: error,
    });
  }
}

async function readStdin(
  stdin: Host['stdin'],
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reading = (async () => {
    for await (const bytes of stdin) {
      size += bytes.length;
      if (size > maxBytes) throw new FileTooLarge();
      chunks.push(bytes);
    }
  })();
  try {
    await untilCancelled(reading, signal, 'Reading standard input');
  } finally {
    // Input that has not arrived yet does not keep the process running.
    stdin.unref?.();
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  const reasons: Record<string, string> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    EACCES: 'it may not be read',
  };
  const { code, message } = error as { code?: string; message: string };
  return (code && reasons[code]) ?? message;
}

export const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

/** Refuses an empty value, as of a shell's variable that is not set. */
export function notEmpty(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

const collectSome: typeof collect = (value, before) => collect(notEmpty(value), before);

export function integer(least: number, most: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

function seconds(most: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+(\.\d+)?$/.test(value) || number > most) {
      throw new InvalidArgumentError(`It must be a number of seconds, ${most} at most.`);
    }
    return number;
  };
}

/** `choices` is for completions. */
export function oneOf(choices: readonly string[]) {
  const read = (value: string): string => {
    if (!choices.includes(value))
      throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
    return value;
  };
  return Object.assign(read, { choices });
}

function collectOneOf(choices: readonly string[]) {
  const read = oneOf(choices);
  const collected = (value: string, before: string[] | undefined) => collect(read(value), before);
  return Object.assign(collected, { choices });
}
