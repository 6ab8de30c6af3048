import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { parseJsonOrNull } from '../base/http.ts';
import { getIssueTitle, passagesOf } from '../engine/index.ts';
import { LocusError } from '../shared/errors.ts';
import {
  type IssueRecord,
  type IssueSource,
  type IssueSummary,
  issueSource,
} from '../shared/issues.ts';
import type { AppDatabase } from './app-database.ts';

/** Deleted issues can be restored for this long. */
const KEEP_DELETED_DAYS = 90;
/** UTF-16 units of texts that are read before others are answered. */
const AT_A_TIME = 1_000_000;

const COLUMNS = `id, root, name, text, pinned, created_at AS createdAt, updated_at AS updatedAt,
  deleted_at AS deletedAt, source, (SELECT COUNT(*) FROM marks WHERE issue_id = issues.id) AS marks`;

export class Issues {
  readonly #database: AppDatabase;

  constructor(database: AppDatabase) {
    this.#database = database;
    const oldest = new Date(Date.now() - KEEP_DELETED_DAYS * 86_400_000).toISOString();
    database.prepare('DELETE FROM issues WHERE deleted_at < ?').run(oldest);
  }

  /**
   * Pinned ones first, then the latest. Every word of `query` must occur in the name, the text or the source. Others are answered
   * while many long texts are read.
   */
  async list(
    root: string,
    query: string,
    deleted: boolean,
    limit: number,
  ): Promise<IssueSummary[]> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const ids = this.#database
      .prepare<[string], string>(
        `SELECT id FROM issues WHERE root = ? AND deleted_at IS ${deleted ? 'NOT NULL' : 'NULL'}
         ORDER BY pinned DESC, updated_at DESC`,
      )
      .pluck()
      .all(root);
    const found: IssueSummary[] = [];
    let read = 0;
    for (const id of ids) {
      if (found.length === limit) break;
      const row = this.#find(id);
      if (!row) continue;
      const content = `${row.name ?? ''}\n${sourceOf(row)?.label ?? ''}\n${row.text}`.toLowerCase();
      if (words.every((word) => content.includes(word))) found.push(summary(row));
      read += row.text.length;
      if (read < AT_A_TIME) continue;
      read = 0;
      await nextTurn();
    }
    return found;
  }

  get(id: string): IssueRecord & { root: string } {
    const row = this.#row(id);
    return { ...summary(row), text: row.text, root: row.root };
  }

  /**
   * Creates the issue or replaces its text; it is then the last one of its repository. A new one that is an earlier
   * one again, or has grown out of it, takes its place: the answer then has the earlier one's id. Not with `apart`. Without a
   * source it keeps the one it has.
   */
  save(
    root: string,
    wanted: string,
    text: string,
    { apart, source }: SaveOptions = {},
  ): IssueSummary {
    const now = new Date().toISOString();
    const isNew = !apart && !this.#exists(wanted);
    const id = (isNew && this.#earlier(root, text)) || wanted;
    this.#database.transaction(() => {
      this.#database
        .prepare(
          `INSERT INTO issues (id, root, text, created_at, updated_at, source) VALUES (@id, @root, @text, @now, @now, @from)
           ON CONFLICT (id) DO UPDATE SET text = @text, updated_at = @now, deleted_at = NULL,
             source = COALESCE(@from, source) WHERE root = @root`,
        )
        .run({ id, root, text, now, from: source ? JSON.stringify(source) : null });
      this.#touch(root, id);
    })();
    return summary(this.#row(id));
  }

  /** A new issue with the marks and the name of another, and a text of its own; it is then the last one of its repository. */
  fork(root: string, from: string, text: string, { source }: SaveOptions = {}): IssueSummary {
    const id = randomUUID();
    const given = source === undefined ? sourceOf(this.#row(from)) : source;
    this.#database.transaction(() => {
      this.save(root, id, text, { apart: true, source: given });
      this.#database
        .prepare('UPDATE issues SET name = (SELECT name FROM issues WHERE id = ?) WHERE id = ?')
        .run(from, id);
      this.#database
        .prepare(
          `INSERT INTO marks SELECT ?, path, qualified_name, ordinal, kind, content_hash, mark, note, updated_at
           FROM marks WHERE issue_id = ?`,
        )
        .run(id, from);
    })();
    return summary(this.#row(id));
  }

  textOf(id: string): string | null {
    return this.#find(id)?.text ?? null;
  }

  rename(id: string, name: string | null): IssueSummary {
    return this.#update(id, 'name', name);
  }

  pin(id: string, pinned: boolean): IssueSummary {
    return this.#update(id, 'pinned', pinned ? 1 : 0);
  }

  delete(id: string): IssueSummary {
    return this.#update(id, 'deleted_at', new Date().toISOString());
  }

  restore(id: string): IssueSummary {
    return this.#update(id, 'deleted_at', null);
  }

  last(root: string): IssueRecord | null {
    const row = this.#database
      .prepare<[string], Row>(
        `SELECT ${COLUMNS} FROM issues WHERE deleted_at IS NULL
         AND id = (SELECT last_issue FROM repositories WHERE root = ?)`,
      )
      .get(root);
    return row ? { ...summary(row), text: row.text } : null;
  }

  /** Makes an issue the last one of its repository. */
  opened(id: string): void {
    this.#touch(this.#row(id).root, id);
  }

  #exists(id: string): boolean {
    return this.#database.prepare('SELECT 1 FROM issues WHERE id = ?').get(id) !== undefined;
  }

  /** The id of the latest issue of this repository that a text is a version of. */
  #earlier(root: string, text: string): string | null {
    const rows = this.#database
      .prepare<[string], Pick<Row, 'id' | 'text'>>(
        'SELECT id, text FROM issues WHERE root = ? AND deleted_at IS NULL ORDER BY updated_at DESC',
      )
      .iterate(root);
    for (const row of rows) if (isSameIssue(row.text, text)) return row.id;
    return null;
  }

  #touch(root: string, id: string): void {
    this.#database.prepare('UPDATE repositories SET last_issue = ? WHERE root = ?').run(id, root);
  }

  #update(id: string, column: string, value: string | number | null): IssueSummary {
    this.#row(id);
    this.#database.prepare(`UPDATE issues SET ${column} = ? WHERE id = ?`).run(value, id);
    return summary(this.#row(id));
  }

  #find(id: string): Row | undefined {
    return this.#database
      .prepare<[string], Row>(`SELECT ${COLUMNS} FROM issues WHERE id = ?`)
      .get(id);
  }

  #row(id: string): Row {
    const row = this.#find(id);
    if (!row) {
      throw new LocusError('not-found', 'this issue is not in the history', 'choose another one');
    }
    return row;
  }
}

export interface SaveOptions {
  apart?: boolean;
  source?: IssueSource | null | undefined;
}

interface Row {
  id: string;
  root: string;
  name: string | null;
  text: string;
  pinned: 0 | 1;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  source: string | null;
  marks: number;
}

function summary(row: Row): IssueSummary {
  const { id, name, text, createdAt, updatedAt, deletedAt, marks } = row;
  return {
    id,
    title: name ?? (getIssueTitle(text) || 'Untitled'),
    renamed: name !== null,
    pinned: row.pinned === 1,
    createdAt,
    updatedAt,
    deletedAt,
    marks,
    source: sourceOf(row),
  };
}

/** What another version wrote and this one does not understand counts as none. */
function sourceOf({ source }: Row): IssueSource | null {
  return issueSource.safeParse(parseJsonOrNull(source ?? 'null')).data ?? null;
}

/**
 * The texts of issues as one window last saw them. If two windows show one issue, neither mistakes what was written in the other
 * for its own earlier text.
 */
export class IssueTexts {
  readonly #issues: Issues;
  readonly #known = new LRUCache<string, string>({ max: 100 });

  constructor(issues: Issues) {
    this.#issues = issues;
  }

  given({ id, text }: { id: string; text: string }): void {
    this.#known.set(id, text);
  }

  /**
   * Saves what the window has as this issue, see `Issues.save`. Where another window has written something else since, and this
   * one too, its text becomes an issue of its own, with the same marks; where this one has written nothing, the other's stays.
   */
  save(root: string, id: string, text: string, options?: SaveOptions): IssueSummary {
    const known = this.#known.get(id);
    const stored = this.#issues.textOf(id);
    const isOthers = known !== undefined && stored !== null && stored !== known && stored !== text;
    if (isOthers && text === known) return this.#issues.get(id);
    const saved = isOthers
      ? this.#issues.fork(root, id, text, options)
      : this.#issues.save(root, id, text, options);
    this.given({ id: saved.id, text });
    return saved;
  }
}

/** Share of the shorter text's words that the longer one must have for both to be one issue. */
const SHARED = 0.8;

/**
 * Returns true if one text is a version of the other: both have the same title and mostly the same words. Of long texts, only
 * the parts that search reads are compared.
 */
export function isSameIssue(one: string, other: string): boolean {
  if (getIssueTitle(one) !== getIssueTitle(other)) return false;
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  const counts = new Map<string, number>();
  for (const word of longer) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of shorter) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    counts.set(word, left - 1);
    shared++;
  }
  return shared >= SHARED * shorter.length;
}

const wordsOf = (issue: string): string[] =>
  passagesOf(issue).flatMap(({ text }) => text.split(/\s+/).filter(Boolean));
