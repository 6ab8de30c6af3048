import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { parseJsonOrNull } from '../base/http.ts';
import { getIssueTitle } from '../engine/index.ts';
import { LocusError } from '../shared/errors.ts';
import {
  type IssueRecord,
  type IssueSource,
  type IssueSummary,
  issueSource,
} from '../shared/issues.ts';
import type { AppDatabase } from './app-database.ts';

/** Days for which a deleted issue can be restored. */
const KEEP_DELETED_DAYS = 90;
/** UTF-16 units of text to search before other requests get a turn. */
const MAX_BATCH = 1_000_000;

const COLUMNS = `id, root, name, text, pinned, created_at AS createdAt, updated_at AS updatedAt,
  deleted_at AS deletedAt, source, (SELECT COUNT(*) FROM marks WHERE issue_id = issues.id) AS marks`;

export class IssueStore {
  readonly #database: AppDatabase;

  constructor(database: AppDatabase) {
    this.#database = database;
    const oldest = new Date(Date.now() - KEEP_DELETED_DAYS * 86_400_000).toISOString();
    database.prepare('DELETE FROM issues WHERE deleted_at < ?').run(oldest);
  }

  /**
   * Lists issues, pinned ones first, then the latest. Every word of `query` must occur in the name, the text or the source. Other
   * requests get a turn while long texts are searched.
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
      const content =
        `${row.name ?? ''}\n${parseSource(row)?.label ?? ''}\n${row.text}`.toLowerCase();
      if (words.every((word) => content.includes(word))) found.push(toSummary(row));
      read += row.text.length;
      if (read < MAX_BATCH) continue;
      read = 0;
      await nextTurn();
    }
    return found;
  }

  get(id: string): IssueRecord & { root: string } {
    const row = this.#get(id);
    return { ...toSummary(row), text: row.text, root: row.root };
  }

  /**
   * Creates the issue or replaces its text, and makes it the last one of its repository. A new issue that is a version of an
   * earlier one replaces it and gets its id, unless `separate` is set. Without a source, the stored one stays.
   */
  save(
    root: string,
    requestedId: string,
    text: string,
    { separate, source }: SaveOptions = {},
  ): IssueSummary {
    const now = new Date().toISOString();
    const isNew = !separate && !this.#exists(requestedId);
    const id = (isNew && this.#findEarlier(root, text)) || requestedId;
    this.#database.transaction(() => {
      this.#database
        .prepare(
          `INSERT INTO issues (id, root, text, created_at, updated_at, source) VALUES (@id, @root, @text, @now, @now, @from)
           ON CONFLICT (id) DO UPDATE SET text = @text, updated_at = @now, deleted_at = NULL,
             source = COALESCE(@from, source) WHERE root = @root`,
        )
        .run({ id, root, text, now, from: source ? JSON.stringify(source) : null });
      this.#setLast(root, id);
    })();
    return toSummary(this.#get(id));
  }

  /** Creates an issue with the marks and the name of another but its own text, and makes it the last one of its repository. */
  fork(root: string, from: string, text: string, { source }: SaveOptions = {}): IssueSummary {
    const id = randomUUID();
    const newSource = source === undefined ? parseSource(this.#get(from)) : source;
    this.#database.transaction(() => {
      this.save(root, id, text, { separate: true, source: newSource });
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
    return toSummary(this.#get(id));
  }

  getText(id: string): string | null {
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

  getLast(root: string): IssueRecord | null {
    const row = this.#database
      .prepare<[string], Row>(
        `SELECT ${COLUMNS} FROM issues WHERE deleted_at IS NULL
         AND id = (SELECT last_issue FROM repositories WHERE root = ?)`,
      )
      .get(root);
    return row ? { ...toSummary(row), text: row.text } : null;
  }

  /** Makes an issue the last one of its repository. */
  setOpened(id: string): void {
    this.#setLast(this.#get(id).root, id);
  }

  #exists(id: string): boolean {
    return this.#database.prepare('SELECT 1 FROM issues WHERE id = ?').get(id) !== undefined;
  }

  /** Returns the id of the latest issue of this repository that is the same issue as a text. */
  #findEarlier(root: string, text: string): string | null {
    const rows = this.#database
      .prepare<[string], Pick<Row, 'id' | 'text'>>(
        'SELECT id, text FROM issues WHERE root = ? AND deleted_at IS NULL ORDER BY updated_at DESC',
      )
      .iterate(root);
    for (const row of rows) if (isSameIssue(row.text, text)) return row.id;
    return null;
  }

  #setLast(root: string, id: string): void {
    this.#database.prepare('UPDATE repositories SET last_issue = ? WHERE root = ?').run(id, root);
  }

  #update(id: string, column: string, value: string | number | null): IssueSummary {
    this.#get(id);
    this.#database.prepare(`UPDATE issues SET ${column} = ? WHERE id = ?`).run(value, id);
    return toSummary(this.#get(id));
  }

  #find(id: string): Row | undefined {
    return this.#database
      .prepare<[string], Row>(`SELECT ${COLUMNS} FROM issues WHERE id = ?`)
      .get(id);
  }

  #get(id: string): Row {
    const row = this.#find(id);
    if (!row) {
      throw new LocusError('not-found', 'This issue is not in the history.', 'Choose another one.');
    }
    return row;
  }
}

export interface SaveOptions {
  separate?: boolean;
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

function toSummary(row: Row): IssueSummary {
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
    source: parseSource(row),
  };
}

/** Returns the source; null without one, or if this version does not understand it. */
function parseSource({ source }: Row): IssueSource | null {
  return issueSource.safeParse(parseJsonOrNull(source ?? 'null')).data ?? null;
}

/**
 * Texts of issues as one window last saw them. They tell two windows with the same issue apart, so that neither overwrites the
 * other's text.
 */
export class IssueTexts {
  readonly #issues: IssueStore;
  readonly #seen = new LRUCache<string, string>({ max: 100 });

  constructor(issues: IssueStore) {
    this.#issues = issues;
  }

  remember({ id, text }: { id: string; text: string }): void {
    this.#seen.set(id, text);
  }

  /**
   * Saves the text of the window, see `Issues.save`. If another window has changed the issue in the meantime, and this one too,
   * the text becomes a new issue with the same marks. If this window has not changed it, the other's text stays.
   */
  save(root: string, id: string, text: string, options?: SaveOptions): IssueSummary {
    const seen = this.#seen.get(id);
    const stored = this.#issues.getText(id);
    const isConflict = seen !== undefined && stored !== null && stored !== seen && stored !== text;
    if (isConflict && text === seen) return this.#issues.get(id);
    const saved = isConflict
      ? this.#issues.fork(root, id, text, options)
      : this.#issues.save(root, id, text, options);
    this.remember({ id: saved.id, text });
    return saved;
  }
}

/** Share of the shorter text's words that the longer one must contain for both to be the same issue. */
const MIN_SHARED = 0.8;

/**
 * Returns true if one text is a version of the other: both have the same title and mostly the same words. In long texts, it
 * compares only the beginnings.
 */
export function isSameIssue(one: string, other: string): boolean {
  if (getIssueTitle(one) !== getIssueTitle(other)) return false;
  const [a, b] = [splitWords(one), splitWords(other)];
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
  return shared >= MIN_SHARED * shorter.length;
}

/** Maximum UTF-16 units of a text that are compared. */
const MAX_COMPARED = 200_000;

const splitWords = (issue: string): string[] =>
  issue.slice(0, MAX_COMPARED).split(/\s+/).filter(Boolean);
