import type { ChunkSummary } from '../../shared/chunk.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { present } from '../../shared/present.ts';
import { listOf, type StringColumns, StringTable } from '../columns/string-table.ts';
import { type LexicalColumns, LexicalIndex } from '../lexical/lexical-index.ts';
import { type CountedText, countTerms } from '../lexical/tokenize.ts';
import { largest } from '../vectors/largest.ts';
import type { Commit } from './types.ts';

export interface PastCommit {
  hash: string;
  subject: string;
  /** Seconds since 1970, by the author's clock. */
  time: number;
  /** What a change weighs by its age before the newest commit: 1 at first, half after each year. */
  freshness: number;
  definitions: readonly number[];
  files: readonly number[];
}

type NamedChunk = Pick<ChunkSummary, 'path' | 'qualifiedName' | 'kind'>;

/**
 * The names that a diff may have for a definition, the likeliest first: it is read without the namespaces of C++ and PHP, since
 * nothing near a line tells which are open. A method without its class may be any function.
 */
export function* namesInDiffs(chunk: Omit<NamedChunk, 'path'>): Generator<string> {
  const { qualifiedName, kind } = chunk;
  yield qualifiedName;
  const parts = qualifiedName.split('.');
  const least = kind === 'method' ? 2 : 1;
  for (let first = 1; first <= parts.length - least; first++) yield parts.slice(first).join('.');
}

export interface SimilarCommit {
  /** Its place in `HistoryIndex.commits`. */
  commit: number;
  /** BM25F, as a fraction of the most similar commit's. */
  similarity: number;
}

export interface HistoryColumns {
  hashes: StringColumns;
  subjects: StringColumns;
  times: Float64Array;
  /** How many definitions and files each commit edited, and the numbers of all of them, commit by commit. */
  definitionCounts: Uint32Array;
  definitions: Uint32Array;
  fileCounts: Uint32Array;
  files: Uint32Array;
  /** By the number of a file. */
  paths: StringColumns;
  /** By the number of a definition: its qualified name, and its file. */
  names: StringColumns;
  filesOfDefinitions: Uint32Array;
  terms: StringColumns;
  messages: LexicalColumns;
}

/** Of a word in the subject, relative to one in the body. */
const SUBJECT_WEIGHT = 2;

const YEAR = 365 * 24 * 3600;

const NONE: readonly number[] = [];

/**
 * The commits behind one snapshot: their messages as a lexical index, and the definitions and files that they edited.
 * Definitions are known by path and qualified name, files by path, as they are now. Nothing here depends on slots, which
 * come and go with edits.
 */
export class HistoryIndex {
  /** Newest first. */
  readonly commits: PastCommit[] = [];
  /** By path, then by qualified name. */
  readonly #definitions = new Map<string, Map<string, number>>();
  readonly #names: string[] = [];
  readonly #files = new Map<string, number>();
  readonly #commitsOfDefinition: number[][] = [];
  readonly #commitsOfFile: number[][] = [];
  readonly #messages: Messages;

  private constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** @param commits newest first. */
  static from(commits: Iterable<Commit>): HistoryIndex {
    const texts: string[] = [];
    const history = new HistoryIndex(emptyMessages());
    // Where files that older commits knew by other paths are now.
    const paths = new Map<string, string>();
    for (const commit of commits) {
      history.#add(commit, paths);
      texts.push(commit.message);
    }
    addTexts(history.#messages, texts);
    return history;
  }

  /** What `columns` gave, which is not copied. */
  static of(columns: HistoryColumns): HistoryIndex {
    const messages = emptyMessages(columns.terms);
    messages.index.adopt(columns.messages);
    const history = new HistoryIndex(messages);
    const texts = (strings: StringColumns) => {
      const table = new StringTable(strings);
      return Array.from({ length: table.size }, (_, place) => table.text(place));
    };
    const paths = texts(columns.paths);
    for (const path of paths) history.#numberOfFile(path);
    for (const [number, name] of texts(columns.names).entries())
      history.#numberOfDefinition(paths[columns.filesOfDefinitions[number] ?? 0] ?? '', name);
    const subjects = texts(columns.subjects);
    const definitions = piecesOf(columns.definitions, columns.definitionCounts);
    const files = piecesOf(columns.files, columns.fileCounts);
    for (const [place, hash] of texts(columns.hashes).entries()) {
      const subject = subjects[place] ?? '';
      const time = columns.times[place] ?? 0;
      history.#put({ hash, subject, time }, definitions[place] ?? [], files[place] ?? []);
    }
    return history;
  }

  columns(): HistoryColumns {
    const { commits } = this;
    const filesOfDefinitions = new Uint32Array(this.#names.length);
    for (const [path, ofFile] of this.#definitions)
      for (const definition of ofFile.values())
        filesOfDefinitions[definition] = this.#files.get(path) ?? 0;
    return {
      hashes: listOf(commits.map(({ hash }) => hash)),
      subjects: listOf(commits.map(({ subject }) => subject)),
      times: Float64Array.from(commits, ({ time }) => time),
      definitionCounts: Uint32Array.from(commits, ({ definitions }) => definitions.length),
      definitions: Uint32Array.from(commits.flatMap(({ definitions }) => definitions)),
      fileCounts: Uint32Array.from(commits, ({ files }) => files.length),
      files: Uint32Array.from(commits.flatMap(({ files }) => files)),
      paths: listOf([...this.#files.keys()]),
      names: listOf(this.#names),
      filesOfDefinitions,
      terms: this.#messages.terms.columns(),
      messages: this.#messages.index.columns(Uint32Array.from(commits.keys())),
    };
  }

  /** The number of a chunk's definition, of which several chunks may be overloads; undefined if no commit edited it. */
  definition(chunk: NamedChunk): number | undefined {
    const ofFile = this.#definitions.get(chunk.path);
    if (!ofFile) return undefined;
    for (const name of namesInDiffs(chunk)) {
      const definition = ofFile.get(name);
      if (definition !== undefined) return definition;
    }
    return undefined;
  }

  file(path: string): number | undefined {
    return this.#files.get(path);
  }

  commit(place: number): PastCommit {
    return present(this.commits[place], 'a commit');
  }

  nameOf(definition: number): string {
    return present(this.#names[definition], 'the name of a definition');
  }

  /** Commits that edited it, newest first. */
  commitsOfDefinition(definition: number): readonly number[] {
    return this.#commitsOfDefinition[definition] ?? NONE;
  }

  commitsOfFile(file: number): readonly number[] {
    return this.#commitsOfFile[file] ?? NONE;
  }

  /** The commits whose messages are most like a text, given as its terms with their weights; the most similar first. */
  similar(terms: ReadonlyMap<string, number>, count: number): SimilarCommit[] {
    const query = this.#messages.index.query(terms);
    if (query.ids.length === 0) return [];
    const scores = this.#messages.index.score(query).subarray(0, this.commits.length);
    const { slots, similarities } = largest(scores, Math.min(count, scores.length));
    const most = similarities[0] ?? 0;
    return Array.from(slots, (commit, i) => {
      return { commit, similarity: present(similarities[i], 'a similarity') / most };
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
      files.push(this.#numberOfFile(current));
      for (const name of names) definitions.push(this.#numberOfDefinition(current, name));
    }
    this.#put({ hash, subject: subjectOf(message), time }, definitions, files);
  }

  #put(
    commit: Pick<PastCommit, 'hash' | 'subject' | 'time'>,
    definitions: readonly number[],
    files: readonly number[],
  ): void {
    const number = this.commits.length;
    for (const definition of definitions) append(this.#commitsOfDefinition, definition, number);
    for (const file of files) append(this.#commitsOfFile, file, number);
    const age = Math.max(0, (this.commits[0]?.time ?? commit.time) - commit.time);
    const freshness = 2 ** (-age / YEAR);
    this.commits.push({ ...commit, freshness, definitions, files });
  }

  #numberOfFile(path: string): number {
    return getOrAdd(this.#files, path, () => this.#files.size);
  }

  #numberOfDefinition(path: string, name: string): number {
    const ofFile = getOrAdd(this.#definitions, path, () => new Map<string, number>());
    return getOrAdd(ofFile, name, () => this.#names.push(name) - 1);
  }
}

function subjectOf(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

interface Messages {
  index: LexicalIndex;
  terms: StringTable;
}

function emptyMessages(known?: StringColumns): Messages {
  const terms = new StringTable(known);
  const idOf = (term: string) => {
    const id = terms.find(term);
    return id < 0 ? undefined : id;
  };
  const index = new LexicalIndex(
    { idOf, termOf: (id) => terms.text(id) },
    { weights: { path: 0, name: 0, signature: SUBJECT_WEIGHT, docstring: 0, body: 1 } },
  );
  return { index, terms };
}

/** The subject is what a signature is to a chunk. */
function addTexts({ index, terms: dictionary }: Messages, messages: readonly string[]): void {
  const texts = messages.map((text): CountedText => {
    const signatureEnd = subjectOf(text).length;
    return { kind: 'module', qualifiedName: '', text, signatureEnd, doc: null };
  });
  const { terms, offsets, entries } = countTerms('', texts);
  // Different ones, so that each gets its place as its number.
  for (const term of terms) dictionary.intern(term);
  for (const place of texts.keys()) {
    index.add(place, entries.subarray(offsets[place], offsets[place + 1]));
  }
  index.build();
}

function piecesOf(list: Uint32Array, lengths: Uint32Array): number[][] {
  let end = 0;
  return Array.from(lengths, (length) => {
    end += length;
    return Array.from(list.subarray(end - length, end));
  });
}

function append(lists: number[][], at: number, value: number): void {
  const list = lists[at];
  if (list) list.push(value);
  else lists[at] = [value];
}
