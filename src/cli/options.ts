/** Declares options that several commands share, and parses their values. */
import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { waitUnlessCancelled } from '../base/cancel.ts';
import { readVariable } from '../base/environment.ts';
import { FileTooLarge, readWholeFile } from '../base/named-file.ts';
import type { OpenRepositoryOptions } from '../services/open-repository.ts';
import { CHUNK_KINDS, type ChunkKind } from '../shared/chunk-kind.ts';
import { decodeText } from '../shared/decode-text.ts';
import { DEVICE_CHOICES, type Device } from '../shared/devices.ts';
import { badInput, LocusError } from '../shared/errors.ts';
import { formatCount } from '../shared/format-count.ts';
import * as limits from '../shared/limits.ts';
import type { Repository } from '../shared/repository.ts';
import { type SearchRequest, TEST_RULES, type TestRule } from '../shared/search.ts';
import type { CliHost, Session } from './session.ts';

export interface RepositoryCliOptions {
  at?: string;
  model?: string;
  device?: Device;
  exclude?: string[];
  dataDir?: string;
  daemon?: boolean;
}

export interface RerankOptions {
  fast?: boolean;
  /** Milliseconds after which reranking stops. */
  within?: number;
}

export interface SearchCliOptions extends RepositoryCliOptions, RerankOptions {
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
      'use a commit, branch or tag instead of the files on disk',
      parseNonEmpty,
    ),
  );
}

export function withEngineOptions(command: Command): Command {
  return command
    .option(
      '--exclude <glob>',
      'exclude these paths from the index; can be repeated',
      collectNonEmpty,
    )
    .option('--model <id or folder>', 'model that encodes code and issues', parseNonEmpty)
    .option(
      '--device <device>',
      `device that the model runs on: ${DEVICE_CHOICES.join(', ')}`,
      parseChoice(DEVICE_CHOICES),
    )
    .option(
      '--data-dir <folder>',
      'data directory, which holds the indexes (or set LOCUS_DATA_DIR)',
    );
}

/** Adds the option to use no engine of another process. */
export function withDaemonOption(command: Command): Command {
  return command.option(
    '--no-daemon',
    'open the repository in this process, and start no other (or set LOCUS_NO_DAEMON=1)',
  );
}

export function withSearchOptions(command: Command): Command {
  return withDaemonOption(
    withRepositoryOptions(withIssueOptions(withRerankOptions(command))),
  ).option(
    '--package <name>',
    'only this package of a monorepo, by name or folder; can be repeated',
    collectNonEmpty,
  );
}

export function withIssueOptions(command: Command): Command {
  return command
    .option('-f, --file <file>', 'read the issue from a file, or from standard input for -')
    .option(
      '-n, --limit <count>',
      `maximum number of results (1 to ${limits.MAX_RESULTS})`,
      parseInteger(1, limits.MAX_RESULTS),
      limits.DEFAULT_RESULTS,
    )
    .option(
      '--tests <rule>',
      'demote, exclude or include tests, examples, docs, vendored and generated code',
      parseChoice(TEST_RULES),
      'demote',
    )
    .option('--path <glob>', 'only these paths; can be repeated', collectNonEmpty)
    .option(
      '--kind <kind>',
      `only this kind (${CHUNK_KINDS.join(', ')}); can be repeated`,
      collectOneOf(CHUNK_KINDS),
    );
}

export function withRerankOptions(command: Command): Command {
  return command
    .option(
      '--fast',
      'do not rerank, and do not read a long history: print the initial ranking (or set LOCUS_FAST=1)',
    )
    .option(
      '--within <time>',
      `stop reranking after this time, such as 2s or 500ms; by default, the first ${limits.MAX_RERANKED} results are reranked`,
      parseTime(limits.MAX_RERANK_DEADLINE_MS),
    );
}

/** Returns true if the user asked for the initial ranking, by an option or in the environment. */
export function isFast({ fast }: RerankOptions, env: CliHost['env']): boolean {
  return fast || readVariable('LOCUS_FAST', env);
}

/** Returns the reranking part of a search request; empty if neither an option nor the environment sets it. */
export function toRerankRequest(
  options: RerankOptions,
  env: CliHost['env'],
): Pick<SearchRequest, 'rerank'> {
  if (options.fast && options.within !== undefined) {
    throw badInput(
      '--fast does not rerank, so --within has nothing to stop.',
      'Give one of the two options.',
    );
  }
  if (isFast(options, env)) return { rerank: { count: 0 } };
  return options.within === undefined ? {} : { rerank: { deadlineMs: options.within } };
}

export function toOpenOptions(
  { at, dataDir, model, device, exclude }: RepositoryCliOptions,
  host: CliHost,
): OpenRepositoryOptions {
  return {
    revision: at,
    dataDir: dataDir ?? readVariable('LOCUS_DATA_DIR', host.env),
    model,
    device,
    exclude,
  };
}

/**
 * Opens a repository, in this process or an engine's, updates its index, and keeps it open while `use` runs. A fast search leaves
 * out a long history that was never read.
 */
export function withUpdatedRepository<T>(
  session: Session,
  dir: string,
  options: RepositoryCliOptions & RerankOptions,
  use: (repository: Repository) => Promise<T>,
): Promise<T> {
  const open = { ...toOpenOptions(options, session.host), asksEngine: options.daemon };
  return session.withRepository(dir, open, async (repository) => {
    await session.refresh(repository, { history: !isFast(options, session.host.env) });
    return use(repository);
  });
}

export function toSearchRequest(
  issue: string,
  options: SearchCliOptions,
  env: CliHost['env'],
): SearchRequest {
  const { limit, tests, path: paths, kind: kinds, package: packages } = options;
  return {
    issue,
    limit,
    tests,
    ...(paths && { paths }),
    ...(packages && { packages }),
    ...(kinds && { kinds }),
    ...toRerankRequest(options, env),
  };
}

/**
 * Reads the text of the issue: from `words`, from the file of `--file`, or from standard input for `-`.
 *
 * @throws LocusError `bad-input` without an issue, or with more than one source
 */
export async function readIssue(
  host: CliHost,
  words: string[],
  file: string | undefined,
): Promise<string> {
  if (words.length > 0 && file !== undefined) {
    throw badInput('The issue is given twice, as text and with --file.', 'Give one of them.');
  }
  const source = words.length === 1 && words[0] === '-' ? '-' : file;
  if (source === '-' && host.stdin.isTTY)
    host.stderr.write('Type or paste the issue, then press Ctrl-D on an empty line.\n');
  const text = source === undefined ? words.join(' ') : await readIssueFile(host, source);
  if (text.trim() === '') {
    throw badInput(
      words.length > 0 || file !== undefined ? 'The issue is empty.' : 'No issue is given.',
      'Give its text, or --file issue.md, or - to read standard input.',
    );
  }
  return text;
}

async function readIssueFile(host: CliHost, file: string): Promise<string> {
  const text = await readTextFile(host, file, {
    what: 'the issue',
    maxBytes: 4 * limits.MAX_ISSUE,
  });
  if (text.length <= limits.MAX_ISSUE) return text;
  throw badInput(
    `The issue in ${file === '-' ? 'standard input' : file} has ${formatCount(text.length)} characters, of at most ${formatCount(limits.MAX_ISSUE)}.`,
    'Shorten it to the relevant part.',
  );
}

/** Maximum size of a data set or report, in bytes. */
export const MAX_DATA_BYTES = 1_000_000_000;

/**
 * Reads a text file that is named on the command line; `-` is standard input.
 * @param limits.what describes the file in errors, such as "an issue".
 * @throws LocusError `bad-input` if it cannot be read or is larger than `maxBytes`; `cancelled`
 */
export async function readTextFile(
  { stdin, signal }: Pick<CliHost, 'stdin' | 'signal'>,
  file: string,
  { what, maxBytes }: { what: string; maxBytes: number },
): Promise<string> {
  const name = file === '-' ? 'standard input' : file;
  try {
    return decodeText(
      file === '-'
        ? await readStdin(stdin, maxBytes, signal)
        : await readWholeFile(file, { maxBytes, signal }),
    );
  } catch (error) {
    if (error instanceof LocusError) throw error;
    if (error instanceof FileTooLarge)
      throw badInput(
        `${name} is too large.`,
        `Give a file of at most ${formatCount(maxBytes)} bytes.`,
      );
    throw badInput(
      `Cannot read ${name}: ${describeReason(error)}.`,
      `Give the path of a file with ${what}.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Reads the file of `--resume`; empty if it does not exist yet.
 * @throws LocusError `bad-input` if it is no regular file or cannot be read
 */
export async function readResumeFile(
  host: Pick<CliHost, 'stdin' | 'signal'>,
  file: string,
): Promise<string> {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile();
  if (isFile === false) throw badInput(`${file} is not a regular file.`, 'Name another file.');
  if (!isFile) return '';
  return readTextFile(host, file, { what: 'finished issues', maxBytes: MAX_DATA_BYTES });
}

async function readStdin(
  stdin: CliHost['stdin'],
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
    await waitUnlessCancelled(reading, signal, 'Reading standard input');
  } finally {
    // Pending input must not keep the process running.
    stdin.unref?.();
  }
  return Buffer.concat(chunks);
}

function describeReason(error: unknown): string {
  const reasons: Record<string, string> = {
    ENOENT: 'the file does not exist',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
  };
  const { code, message } = error as { code?: string; message: string };
  return (code && reasons[code]) ?? message;
}

export const collect = (value: string, before: string[] | undefined) => [...(before ?? []), value];

/** Rejects an empty value, such as an unset shell variable. */
export function parseNonEmpty(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

export const collectNonEmpty: typeof collect = (value, before) =>
  collect(parseNonEmpty(value), before);

export function parseInteger(least: number, most: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

/** Returns a parser for a time such as `2s`, `1.5s` or `500ms`, in milliseconds. */
function parseTime(most: number) {
  return (value: string): number => {
    const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(value) ?? [];
    const milliseconds = Math.round(Number(number) * (unit === 's' ? 1000 : 1));
    if (!(milliseconds <= most)) {
      throw new InvalidArgumentError(
        `It must be a time such as 2s or 500ms, at most ${most / 1000}s.`,
      );
    }
    return milliseconds;
  };
}

/** Returns a parser that accepts `choices` only. Its property `choices` is for completions. */
export function parseChoice(choices: readonly string[]) {
  const read = (value: string): string => {
    if (!choices.includes(value))
      throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
    return value;
  };
  return Object.assign(read, { choices });
}

function collectOneOf(choices: readonly string[]) {
  const read = parseChoice(choices);
  const collected = (value: string, before: string[] | undefined) => collect(read(value), before);
  return Object.assign(collected, { choices });
}
