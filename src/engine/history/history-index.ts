import { assertPresent } from '../../shared/assert-present.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { packStrings, type StringColumns, StringTable } from '../columns/string-table.ts';
import { type LexicalColumns, LexicalIndex } from '../lexical/lexical-index.ts';
import { type CountedText, countTerms } from '../lexical/tokenize.ts';
import { findLargest } from '../vectors/largest.ts';
import { listTickets } from './tickets.ts';
import type { Commit } from './types.ts';

export interface PastCommit {
  hash: string;
  subject: string;
  /** Seconds since 1970, by the author's clock. */
  time: number;
  /** Weight of a change by its age relative to the newest commit: 1 at first, halved each year. */
  freshness: number;
  definitions: readonly number[];
  files: readonly number[];
  /** Issues and requests to merge that the message names, see `listTickets`. */
  tickets: readonly string[];
}

type NamedChunk = Pick<ChunkSummary, 'path' | 'qualifiedName' | 'kind'>;

/**
 * Yields the names that a diff may have for a chunk, the likeliest first. Diffs are read without the namespaces of C++ and
 * PHP, since the lines near an edit do not tell which are open. A method is never named without its class, because such a
 * name may be any function's.
 */
export function* listDiffNames(chunk: Omit<NamedChunk, 'path'>): Generator<string> {
  const { qualifiedName, kind } = chunk;
  yield qualifiedName;
  const parts = qualifiedName.split('.');
  const least = kind === 'method' ? 2 : 1;
  for (let first = 1; first <= parts.length - least; first++) yield parts.slice(first).join('.');
}

export interface SimilarCommit {
  /** Index in `HistoryIndex.commits`. */
  commit: number;
  /** BM25F score as a fraction of the most similar commit's score. */
  similarity: number;
}

/** A history index as arrays, for writing to a file. Definitions and files have numbers. */
export interface HistoryColumns {
  hashes: StringColumns;
  subjects: StringColumns;
  times: Float64Array;
  /** For each commit, its tickets, separated by spaces. */
  tickets: StringColumns;
  /** For each commit, how many definitions and files it edited; and the numbers of all of them, commit by commit. */
  definitionCounts: Uint32Array;
  definitions: Uint32Array;
  fileCounts: Uint32Array;
  files: Uint32Array;
  /** Paths by the number of the file. */
  paths: StringColumns;
  /** Qualified names, and numbers of files, by the number of the definition. */
  names: StringColumns;
  filesOfDefinitions: Uint32Array;
  terms: StringColumns;
  messages: LexicalColumns;
}

/** Weight of a word in the subject, relative to one in the body. */
const SUBJECT_WEIGHT = 2;

const YEAR = 365 * 24 * 3600;

const NONE: readonly number[] = [];

/**
 * The past commits of a snapshot: a lexical index of their messages, and the definitions and files that they edited.
 * Definitions are identified by path and qualified name, files by their current path. Nothing here depends on slots, which
 * change with edits.
 */
export class HistoryIndex {
  /** Newest first. */
  readonly commits: PastCommit[] = [];
  /** Numbers of definitions by path, then by qualified name. */
  readonly #definitions = new Map<string, Map<string, number>>();
  readonly #names: string[] = [];
  readonly #files = new Map<string, number>();
  readonly #definitionCommits: number[][] = [];
  readonly #fileCommits: number[][] = [];
  readonly #ticketCommits = new Map<string, number[]>();
  /** Made when first needed. */
  #byHash: Map<string, number> | undefined;
  readonly #messages: Messages;

  private constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** @param commits newest first. */
  static fromCommits(commits: Iterable<Commit>): HistoryIndex {
    const texts: string[] = [];
    const history = new HistoryIndex(createMessages());
    // Current paths of files by the paths that they had in older commits.
    const paths = new Map<string, string>();
    for (const commit of commits) {
      history.#add(commit, paths);
      texts.push(commit.message);
    }
    indexTexts(history.#messages, texts);
    return history;
  }

  /** Creates an index from the result of `toColumns`, without copying it. */
  static fromColumns(columns: HistoryColumns): HistoryIndex {
    const messages = createMessages(columns.terms);
    messages.index.loadColumns(columns.messages);
    const history = new HistoryIndex(messages);
    const texts = (strings: StringColumns) => {
      const table = new StringTable(strings);
      return Array.from({ length: table.size }, (_, index) => table.getText(index));
    };
    const paths = texts(columns.paths);
    for (const path of paths) history.#getFileNumber(path);
    for (const [number, name] of texts(columns.names).entries())
      history.#getDefinitionNumber(paths[columns.filesOfDefinitions[number] ?? 0] ?? '', name);
    const subjects = texts(columns.subjects);
    const definitions = splitByLengths(columns.definitions, columns.definitionCounts);
    const files = splitByLengths(columns.files, columns.fileCounts);
    const tickets = texts(columns.tickets);
    for (const [index, hash] of texts(columns.hashes).entries()) {
      const subject = subjects[index] ?? '';
      const time = columns.times[index] ?? 0;
      const named = tickets[index]?.split(' ').filter(Boolean) ?? [];
      const commit = { hash, subject, time, tickets: named };
      history.#put(commit, definitions[index] ?? [], files[index] ?? []);
    }
    return history;
  }

  toColumns(): HistoryColumns {
    const { commits } = this;
    const filesOfDefinitions = new Uint32Array(this.#names.length);
    for (const [path, ofFile] of this.#definitions)
      for (const definition of ofFile.values())
        filesOfDefinitions[definition] = this.#files.get(path) ?? 0;
    return {
      hashes: packStrings(commits.map(({ hash }) => hash)),
      subjects: packStrings(commits.map(({ subject }) => subject)),
      times: Float64Array.from(commits, ({ time }) => time),
      tickets: packStrings(commits.map(({ tickets }) => tickets.join(' '))),
      definitionCounts: Uint32Array.from(commits, ({ definitions }) => definitions.length),
      definitions: Uint32Array.from(commits.flatMap(({ definitions }) => definitions)),
      fileCounts: Uint32Array.from(commits, ({ files }) => files.length),
      files: Uint32Array.from(commits.flatMap(({ files }) => files)),
      paths: packStrings([...this.#files.keys()]),
      names: packStrings(this.#names),
      filesOfDefinitions,
      terms: this.#messages.terms.getColumns(),
      messages: this.#messages.index.toColumns(Uint32Array.from(commits.keys())),
    };
  }

  /** Returns the number of a chunk's definition, which overloads share; undefined if no commit edited it. */
  findDefinition(chunk: NamedChunk): number | undefined {
    const ofFile = this.#definitions.get(chunk.path);
    if (!ofFile) return undefined;
    for (const name of listDiffNames(chunk)) {
      const definition = ofFile.get(name);
      if (definition !== undefined) return definition;
    }
    return undefined;
  }

  findFile(path: string): number | undefined {
    return this.#files.get(path);
  }

  getCommit(index: number): PastCommit {
    return assertPresent(this.commits[index], 'a commit');
  }

  getDefinitionName(definition: number): string {
    return assertPresent(this.#names[definition], 'the name of a definition');
  }

  /** Returns the commits that edited a definition, newest first, as indexes in `commits`. */
  getDefinitionCommits(definition: number): readonly number[] {
    return this.#definitionCommits[definition] ?? NONE;
  }

  getFileCommits(file: number): readonly number[] {
    return this.#fileCommits[file] ?? NONE;
  }

  /** Returns the commits whose messages name a ticket, newest first. */
  getTicketCommits(ticket: string): readonly number[] {
    return this.#ticketCommits.get(ticket) ?? NONE;
  }

  /** Returns the commit whose id begins with `id`; undefined unless there is exactly one. */
  findCommit(id: string): number | undefined {
    const first = this.commits.findIndex(({ hash }) => hash.startsWith(id));
    const isUnique = first === this.commits.findLastIndex(({ hash }) => hash.startsWith(id));
    return first >= 0 && isUnique ? first : undefined;
  }

  /** Returns the commits with these full ids, leaving out unknown ones. */
  findCommits(hashes: readonly string[]): number[] {
    if (hashes.length === 0) return [];
    this.#byHash ??= new Map(this.commits.map(({ hash }, number) => [hash, number]));
    return hashes.flatMap((hash) => this.#byHash?.get(hash) ?? []);
  }

  /** Returns the paths of files by their numbers. */
  getPaths(): string[] {
    return [...this.#files.keys()];
  }

  /**
   * Finds the commits with the most similar messages, best first.
   * @param terms terms of the text with their weights
   */
  findSimilar(terms: ReadonlyMap<string, number>, count: number): SimilarCommit[] {
    const query = this.#messages.index.createQuery(terms);
    if (query.ids.length === 0) return [];
    const scores = this.#messages.index.score(query).subarray(0, this.commits.length);
    const { slots, similarities } = findLargest(scores, Math.min(count, scores.length));
    const most = similarities[0] ?? 0;
    return Array.from(slots, (commit, i) => {
      return { commit, similarity: assertPresent(similarities[i], 'a similarity') / most };
    })
      .filter(({ similarity }) => similarity > 0)
      .sort((a, b) => b.similarity - a.similarity || a.commit - b.commit);
  }

  #add({ hash, time, message, edits }: Commit, paths: Map<string, string>): void {
    const definitions: number[] = [];
    const files: number[] = [];
    for (const { path, from, definitions: names } of edits) {
      const current = paths.get(path) ?? path;
      if (from) paths.set(from, current);
      files.push(this.#getFileNumber(current));
      for (const name of names) definitions.push(this.#getDefinitionNumber(current, name));
    }
    const described = { hash, subject: getSubject(message), time, tickets: listTickets(message) };
    this.#put(described, definitions, files);
  }

  #put(
    commit: Pick<PastCommit, 'hash' | 'subject' | 'time' | 'tickets'>,
    definitions: readonly number[],
    files: readonly number[],
  ): void {
    const number = this.commits.length;
    for (const ticket of commit.tickets)
      getOrAdd(this.#ticketCommits, ticket, (): number[] => []).push(number);
    for (const definition of definitions) appendToList(this.#definitionCommits, definition, number);
    for (const file of files) appendToList(this.#fileCommits, file, number);
    const age = Math.max(0, (this.commits[0]?.time ?? commit.time) - commit.time);
    const freshness = 2 ** (-age / YEAR);
    this.commits.push({ ...commit, freshness, definitions, files });
  }

  #getFileNumber(path: string): number {
    return getOrAdd(this.#files, path, () => this.#files.size);
  }

  #getDefinitionNumber(path: string, name: string): number {
    const ofFile = getOrAdd(this.#definitions, path, () => new Map<string, number>());
    return getOrAdd(ofFile, name, () => this.#names.push(name) - 1);
  }
}

function getSubject(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

interface Messages {
  index: LexicalIndex;
  terms: StringTable;
}

function createMessages(known?: StringColumns): Messages {
  const terms = new StringTable(known);
  const idOf = (term: string) => {
    const id = terms.find(term);
    return id < 0 ? undefined : id;
  };
  const index = new LexicalIndex(
    { idOf, termOf: (id) => terms.getText(id) },
    { weights: { path: 0, name: 0, signature: SUBJECT_WEIGHT, docstring: 0, body: 1 } },
  );
  return { index, terms };
}

/** Indexes messages; the subject goes into the field of signatures. */
function indexTexts({ index, terms: dictionary }: Messages, messages: readonly string[]): void {
  const texts = messages.map((text): CountedText => {
    const signatureEnd = getSubject(text).length;
    return { kind: 'module', qualifiedName: '', text, signatureEnd, doc: null };
  });
  const { terms, offsets, entries } = countTerms('', texts);
  // The terms are distinct, so each one's id is its index.
  for (const term of terms) dictionary.intern(term);
  for (const number of texts.keys()) {
    index.add(number, entries.subarray(offsets[number], offsets[number + 1]));
  }
  index.build();
}

function splitByLengths(list: Uint32Array, lengths: Uint32Array): number[][] {
  let end = 0;
  return Array.from(lengths, (length) => {
    end += length;
    return Array.from(list.subarray(end - length, end));
  });
}

function appendToList(lists: number[][], at: number, value: number): void {
  const list = lists[at];
  if (list) list.push(value);
  else lists[at] = [value];
}
