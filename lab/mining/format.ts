/**
 * File format of training data: JSON Lines in one zstd stream. The header comes first, then the chunks, then the commits.
 * Chunks are referred to by their line, counted from 0 after the header. docs/reference/training.md describes the format.
 */
import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { readNamedFile } from '../../src/base/named-file.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { LocusError } from '../../src/shared/errors.ts';

/** Version of the format. A reader rejects newer ones. Files without a version are version 1, which has no optional parts. */
export const FORMAT_VERSION = 2;

/** Maximum length of a chunk's text in UTF-16 units. */
export const MAX_CHUNK_TEXT = 2_200;

const index = z.int().min(0);
const lines = z.tuple([index, index]);

const headerLine = z.object({
  /** `owner+name`. */
  repo: z.string().min(1),
  /** Number of chunk lines. */
  n: index,
  /** Number of commit lines. */
  pairs: index,
  version: z.int().min(1).max(FORMAT_VERSION).default(1),
  /** Since version 2: commit at which mining started, and commits of the snapshots. */
  head: z.string().optional(),
  snapshots: z.array(z.string()).optional(),
  /** Since version 2: number of examined commits, and number of rejected commits by reason. */
  commits: index.optional(),
  rejected: z.record(z.string(), index).optional(),
});
export type HeaderLine = z.output<typeof headerLine>;

/** A chunk. Since version 2 the last element is the number of lines of the signature, which starts the text. */
const chunkLine = z.tuple([
  z.string().min(1), // path
  z.string().min(1), // qualified name
  z.enum(['f', 'm', 'c']), // function, method, class
  z.string(), // text as the encoder gets it, cut to the maximum length
  lines.nullable(), // [first, end) lines of the docstring in the text
  z.array(index), // callees, in the order of an encoder's context
  z.array(z.int().min(0).max(2)), // snapshots that contain it; 0 is the newest
  index.optional(), // lines of the signature
]);
export type ChunkLine = z.output<typeof chunkLine>;

/** A commit. Keys after `snap` are optional and exist since version 2. */
const commitLine = z.object({
  /** Message; if `issue` is set, the text of an issue that the commit closed. */
  m: z.string(),
  /** Lines that the commit adds to tests. */
  t: z.array(z.string()),
  /** Chunks that the commit edits, in the version before it. */
  pos: z.array(index).min(1),
  /** Unedited chunks of the same files. */
  sib: z.array(index),
  /** Number of the snapshot nearest in time. */
  snap: z.int().min(0).max(2),
  id: z.string().optional(),
  /** Traceback that ends in an edited chunk, through calls of the call graph. */
  trace: z.string().optional(),
  /** True if the commit also changes test files. */
  tests: z.boolean().optional(),
  issue: z.boolean().optional(),
  /** Rank of the best edited chunk among those of its snapshot, from 1, by the model that checked consistency. */
  rank: z.int().min(1).optional(),
  /** Hard negatives: unedited chunks that rank best. */
  neg: z.array(index).optional(),
});
export type CommitLine = z.output<typeof commitLine>;

/** A line of a training data file. The header comes first, then chunks, then commits. */
export type TrainingLine =
  | { kind: 'header'; header: HeaderLine }
  | { kind: 'chunk'; chunk: ChunkLine }
  | { kind: 'commit'; commit: CommitLine };

/**
 * Reads a file of training data line by line, in bounded memory.
 * @throws LocusError `bad-input` with the file, the line and the problem
 */
export async function* readTrainingData(path: string): AsyncGenerator<TrainingLine> {
  let number = 0;
  let header: HeaderLine | null = null;
  for await (const line of readTextLines(path)) {
    number++;
    if (!header) {
      header = parseLine(headerLine, line, path, number);
      yield { kind: 'header', header };
    } else if (number <= 1 + header.n) {
      const chunk = parseLine(chunkLine, line, path, number);
      checkIndices(chunk[5], header.n, path, number);
      yield { kind: 'chunk', chunk };
    } else {
      const commit = parseLine(commitLine, line, path, number);
      checkIndices([...commit.pos, ...commit.sib, ...(commit.neg ?? [])], header.n, path, number);
      yield { kind: 'commit', commit };
    }
  }
  const expected = header ? 1 + header.n + header.pairs : 1;
  if (number !== expected)
    throw makeFormatError(path, `it has ${number} lines instead of ${expected}`);
}

/** Maximum size of a file in bytes, and of a line in characters. */
const MAX_BYTES = 10_000_000_000;
const MAX_LINE = 100_000_000;

/** Yields the lines of a file. Only `\n` ends a line in this format. */
async function* readTextLines(path: string): AsyncGenerator<string> {
  const file = Readable.from(readNamedFile(path, { maxBytes: MAX_BYTES }));
  const unpacked = file.pipe(createZstdDecompress()).setEncoding('utf8');
  file.on('error', (error) => unpacked.destroy(error));
  let rest = '';
  try {
    for await (const text of unpacked as AsyncIterable<string>) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE)
        throw makeFormatError(path, `it has a line of more than ${MAX_LINE} characters`);
      yield* lines;
    }
  } catch (error) {
    throw error instanceof LocusError ? error : makeFormatError(path, (error as Error).message);
  }
  if (rest !== '') yield rest;
}

function parseLine<T>(schema: z.ZodType<T>, line: string, path: string, number: number): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw makeFormatError(path, `line ${number} is not JSON: ${(error as Error).message}`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = assertPresent(result.error.issues[0], 'what a schema found');
  throw makeFormatError(path, `line ${number}: ${issue.path.join('.') || 'it'}: ${issue.message}`);
}

function checkIndices(indices: readonly number[], n: number, path: string, number: number): void {
  const wrong = indices.find((value) => value >= n);
  if (wrong !== undefined)
    throw makeFormatError(path, `line ${number} refers to chunk ${wrong} of ${n}`);
}

function makeFormatError(path: string, what: string): LocusError {
  return new LocusError(
    'bad-input',
    `${path} is not training data: ${what}.`,
    'Create it again with the task `mine`.',
  );
}
