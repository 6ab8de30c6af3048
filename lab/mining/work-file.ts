/**
 * Stores the results so far in a database next to the output file, so that an interrupted run can continue and memory stays
 * bounded. The database is removed when the output is complete.
 */

import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { hasExternalCause } from '../../src/base/damage.ts';
import type { ParsedChunk, Rejection } from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { type ChunkLine, type CommitLine, MAX_CHUNK_TEXT } from './format.ts';

/** Outcome for one commit: an instance, or the reason for its rejection. */
export type Outcome = CommitLine | Rejection;

export class WorkFile {
  readonly #database: Sqlite.Database;
  readonly #path: string;
  readonly #findChunk;
  readonly #addChunk;
  readonly #mark;
  readonly #link;
  readonly #addCommit;
  readonly #chunkAt;

  /** @param plan everything that the outcome depends on; results with another plan are deleted */
  constructor(path: string, plan: string) {
    this.#path = path;
    this.#database = open(path);
    if (this.#plan() !== plan) {
      this.#database.close();
      removeDatabase(path);
      this.#database = open(path);
      this.#database.prepare('INSERT INTO plan VALUES (?)').run(plan);
    }
    this.#findChunk = this.#database
      .prepare<[Buffer], number>('SELECT id FROM chunks WHERE digest = ?')
      .pluck();
    this.#addChunk = this.#database.prepare<[Buffer, string]>(
      'INSERT INTO chunks (digest, fields) VALUES (?, ?)',
    );
    this.#mark = this.#database.prepare<[number, number]>(
      'UPDATE chunks SET snapshots = snapshots | ? WHERE id = ?',
    );
    this.#link = this.#database.prepare<[string, number]>(
      'UPDATE chunks SET callees = ? WHERE id = ? AND callees IS NULL',
    );
    this.#chunkAt = this.#database.prepare<[number], ChunkRow>(`${CHUNKS} WHERE id = ?`);
    this.#addCommit = this.#database.prepare<[number, Buffer | null, string | null, string | null]>(
      'INSERT OR IGNORE INTO commits (position, digest, line, rejection) VALUES (?, ?, ?, ?)',
    );
  }

  transaction<T>(work: () => T): T {
    return this.#database.transaction(work)();
  }

  /** Stores a chunk and returns its line in the output. Equal chunks of one path and name share a line. */
  chunk(path: string, chunk: ParsedChunk): number {
    const text = cutText(chunk.text);
    const digest = createHash('sha1')
      .update(`${path}\0${chunk.qualifiedName}\0${chunk.kind}\0${text}`)
      .digest();
    const known = this.#findChunk.get(digest);
    if (known !== undefined) return known - 1;
    const kind = chunk.kind === 'class' ? 'c' : chunk.kind === 'method' ? 'm' : 'f';
    const signature = countLines(text, 0, Math.min(chunk.signatureEnd, text.length));
    const doc = findDocstringLines(chunk, text);
    const fields = [path, chunk.qualifiedName, kind, text, doc, signature];
    return Number(this.#addChunk.run(digest, JSON.stringify(fields)).lastInsertRowid) - 1;
  }

  /** Notes that a snapshot contains the chunk of a line. */
  mark(line: number, snapshot: number): void {
    this.#mark.run(1 << snapshot, line + 1);
  }

  /** Sets the callees of a chunk, unless they are set already. */
  link(line: number, callees: readonly number[]): void {
    this.#link.run(JSON.stringify(callees), line + 1);
  }

  /** Returns the positions of the commits that are done. */
  done(): Set<number> {
    return new Set(
      this.#database.prepare('SELECT position FROM commits').pluck().all() as number[],
    );
  }

  /** Stores a commit's outcome. Of several commits with the same message and edited chunks, only the first is stored. */
  addCommit(position: number, outcome: Outcome): void {
    if (typeof outcome === 'string') {
      this.#addCommit.run(position, null, null, outcome);
      return;
    }
    const { m, pos } = outcome;
    const digest = createHash('sha1')
      .update(JSON.stringify([m, pos]))
      .digest();
    const { changes } = this.#addCommit.run(position, digest, JSON.stringify(outcome), null);
    if (changes === 0) this.#addCommit.run(position, null, null, 'duplicate' satisfies Rejection);
  }

  /** Replaces an instance by another one or by a rejection. */
  replaceCommit(position: number, outcome: Outcome): void {
    const rejected = typeof outcome === 'string';
    this.#database
      .prepare('UPDATE commits SET line = ?, rejection = ? WHERE position = ?')
      .run(rejected ? null : JSON.stringify(outcome), rejected ? outcome : null, position);
  }

  chunkCount(): number {
    return this.#database.prepare('SELECT count(*) FROM chunks').pluck().get() as number;
  }

  commitCount(): number {
    return this.#database.prepare('SELECT count(line) FROM commits').pluck().get() as number;
  }

  /** Returns the number of rejected commits, by reason. */
  rejections(): Partial<Record<Rejection, number>> {
    const rows = this.#database
      .prepare<[], { rejection: Rejection; count: number }>(
        `SELECT rejection, count(*) AS count FROM commits WHERE rejection IS NOT NULL
         GROUP BY rejection ORDER BY rejection`,
      )
      .all();
    return Object.fromEntries(rows.map(({ rejection, count }) => [rejection, count]));
  }

  /** Yields all chunks in the order of their lines. */
  *chunks(): Generator<ChunkLine> {
    const rows = this.#database.prepare<[], ChunkRow>(`${CHUNKS} ORDER BY id`).iterate();
    for (const row of rows) yield toLine(row);
  }

  /** Returns the chunk of a line. */
  chunkAt(line: number): ChunkLine {
    return toLine(assertPresent(this.#chunkAt.get(line + 1), 'the chunk of a line'));
  }

  /** Returns a page of instances after the position `after`, in order. */
  commits(after: number, limit: number): { position: number; commit: CommitLine }[] {
    const rows = this.#database
      .prepare<[number, number], { position: number; line: string }>(
        'SELECT position, line FROM commits WHERE line IS NOT NULL AND position > ? ORDER BY position LIMIT ?',
      )
      .all(after, limit);
    return rows.map(({ position, line }) => ({ position, commit: JSON.parse(line) }));
  }

  close(): void {
    this.#database.close();
  }

  /** Closes and removes the file. */
  remove(): void {
    this.close();
    removeDatabase(this.#path);
  }

  #plan(): string | undefined {
    return this.#database.prepare('SELECT plan FROM plan').pluck().get() as string | undefined;
  }
}

interface ChunkRow {
  fields: string;
  callees: string | null;
  /** Bit set of snapshots. */
  snapshots: number;
}

const CHUNKS = 'SELECT fields, callees, snapshots FROM chunks';

function toLine({ fields, callees, snapshots }: ChunkRow): ChunkLine {
  const [path, name, kind, text, doc, signature] = JSON.parse(fields);
  const held = [0, 1, 2].filter((snapshot) => snapshots & (1 << snapshot));
  return [path, name, kind, text, doc, JSON.parse(callees ?? '[]'), held, signature];
}

/** A chunk's id is 1 + its line in the output. With `synchronous = NORMAL`, a power cut loses only the last results, which are mined again. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS plan (plan TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS chunks (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    fields TEXT NOT NULL,
    callees TEXT,
    snapshots INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS commits (
    position INTEGER PRIMARY KEY,
    digest BLOB UNIQUE,
    line TEXT,
    rejection TEXT
  );`;

function open(path: string): Sqlite.Database {
  let database = new Sqlite(path);
  try {
    database.exec(SCHEMA);
  } catch (error) {
    database.close();
    // A full disk or another process is no reason to delete the results.
    if (hasExternalCause(error)) throw error;
    // Another or a damaged database. Its content can be mined again.
    removeDatabase(path);
    database = new Sqlite(path);
    database.exec(SCHEMA);
  }
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  return database;
}

/** Converts a failure of the work file of `file` into an error with a remedy. Returns other errors unchanged. */
export function explainWorkFailure(error: unknown, file: string): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  const { code, message } = error;
  const text = `Cannot write ${file}.partial: ${message} (${code}).`;
  if (/^SQLITE_(FULL|IOERR|NOMEM)/.test(code))
    return new LocusError(
      'bad-output',
      text,
      'Free some space, check the disk, or write elsewhere with --out. The results so far are saved.',
      { cause: error },
    );
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return new LocusError(
      'busy',
      text,
      'Another process is mining into it. Wait, or give another --out.',
      {
        cause: error,
      },
    );
  if (!hasExternalCause(error)) return error;
  return new LocusError('bad-input', text, 'Choose a writable file: --out <file>.', {
    cause: error,
  });
}

function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** Returns the first characters, without splitting a surrogate pair. */
function cutText(text: string): string {
  return text.slice(0, MAX_CHUNK_TEXT).replace(/[\ud800-\udbff]$/, '');
}

/** Returns the number of lines from the start of the text to the end of the piece; 0 for an empty piece. */
function countLines(text: string, start: number, end: number): number {
  return end <= start ? 0 : text.slice(start, end).split('\n').length;
}

/** Returns the lines `[first, end)` of the docstring, or null if it is not completely in the cut text. */
function findDocstringLines({ doc }: ParsedChunk, text: string): [number, number] | null {
  if (!doc || doc[1] > text.length) return null;
  const before = text.slice(0, doc[0]).split('\n').length - 1;
  return [before, before + countLines(text, doc[0], doc[1])];
}
