import { present } from '../../shared/present.ts';
import { LexicalIndex } from '../lexical/lexical-index.ts';
import { type CountedText, countTerms } from '../lexical/tokenize.ts';
import { largest } from '../vectors/largest.ts';
import type { Commit } from './types.ts';

/** A commit in memory. */
export interface PastCommit {
  hash: string;
  /** First line of the message. */
  subject: string;
  /** Seconds since 1970, by the author's clock. */
  time: number;
  /** What a change weighs by its age before the newest commit: 1 at first, half after each year. */
  freshness: number;
  /** Numbers of the definitions that it edited, and of the files. */
  definitions: readonly number[];
  files: readonly number[];
}

/** A commit whose message resembles a text. */
export interface SimilarCommit {
  /** Its place in `HistoryIndex.commits`. */
  commit: number;
  /** BM25F, as a fraction of the most similar commit's. */
  similarity: number;
}

/** Of a word in the subject, relative to one in the body. */
const SUBJECT_WEIGHT = 2;

/** In seconds. */
const YEAR = 365 * 24 * 3600;

const NONE: readonly number[] = [];

/**
 * The commits behind one snapshot, for search: their messages as a lexical index, and which definitions and files they
 * edited. Definitions are known by path and qualified name, files by path, both under the paths that they have now. So
 * nothing here depends on slots, which come and go with edits.
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
  readonly #messages: LexicalIndex;

  /** @param commits newest first. */
  constructor(commits: Iterable<Commit>) {
    const paths = new CurrentPaths();
    const messages: string[] = [];
    for (const commit of commits) {
      this.#add(commit, paths);
      messages.push(commit.message);
    }
    this.#messages = indexOf(messages);
  }

  /** The number of a definition by the address of its chunk (without ordinal); undefined if no commit edited it. */
  definition(path: string, qualifiedName: string): number | undefined {
    return this.#definitions.get(path)?.get(qualifiedName);
  }

  file(path: string): number | undefined {
    return this.#files.get(path);
  }

  /** A commit by its place in `commits`. */
  commit(place: number): PastCommit {
    return present(this.commits[place], 'a commit');
  }

  /** Qualified name of a definition. */
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
    const query = this.#messages.query(terms);
    if (query.ids.length === 0) return [];
    const scores = this.#messages.score(query).subarray(0, this.commits.length);
    const { slots, similarities } = largest(scores, Math.min(count, scores.length));
    const most = similarities[0] ?? 0;
    const found = Array.from(slots, (commit, i) => ({
      commit,
      similarity: present(similarities[i], 'a similarity') / most,
    }));
    return found
      .filter(({ similarity }) => similarity > 0)
      .sort((a, b) => b.similarity - a.similarity || a.commit - b.commit);
  }

  #add({ hash, time, message, edits }: Commit, paths: CurrentPaths): void {
    const number = this.commits.length;
    const definitions: number[] = [];
    const files: number[] = [];
    for (const { path, from, definitions: names } of edits) {
      const current = paths.of(path);
      if (from) paths.moved(from, current);
      files.push(this.#numberOfFile(current));
      for (const name of names) definitions.push(this.#numberOfDefinition(current, name));
    }
    for (const definition of definitions) append(this.#commitsOfDefinition, definition, number);
    for (const file of files) append(this.#commitsOfFile, file, number);
    const age = Math.max(0, (this.commits[0]?.time ?? time) - time);
    const freshness = 2 ** (-age / YEAR);
    const subject = subjectOf(message);
    this.commits.push({ hash, subject, time, freshness, definitions, files });
  }

  #numberOfFile(path: string): number {
    let number = this.#files.get(path);
    if (number === undefined) {
      number = this.#files.size;
      this.#files.set(path, number);
    }
    return number;
  }

  #numberOfDefinition(path: string, name: string): number {
    let ofFile = this.#definitions.get(path);
    if (!ofFile) {
      ofFile = new Map();
      this.#definitions.set(path, ofFile);
    }
    let number = ofFile.get(name);
    if (number === undefined) {
      number = this.#names.length;
      this.#names.push(name);
      ofFile.set(name, number);
    }
    return number;
  }
}

function subjectOf(message: string): string {
  const end = message.indexOf('\n');
  return end < 0 ? message : message.slice(0, end);
}

/** Messages by place; the subject is what a signature is to a chunk. */
function indexOf(messages: readonly string[]): LexicalIndex {
  const texts = messages.map((text): CountedText => {
    const signatureEnd = subjectOf(text).length;
    return { kind: 'module', qualifiedName: '', text, signatureEnd, doc: null };
  });
  const { terms, offsets, entries } = countTerms('', texts);
  const ids = new Map(terms.map((term, id) => [term, id]));
  const index = new LexicalIndex(
    { idOf: (term) => ids.get(term), termOf: (id) => terms[id] },
    { weights: { path: 0, name: 0, signature: SUBJECT_WEIGHT, docstring: 0, body: 1 } },
  );
  for (const place of texts.keys()) {
    index.add(place, entries.subarray(offsets[place], offsets[place + 1]));
  }
  index.build();
  return index;
}

function append(lists: number[][], at: number, value: number): void {
  const list = lists[at];
  if (list) list.push(value);
  else lists[at] = [value];
}

/** Where files that older commits knew by other paths are now. Commits come newest first. */
class CurrentPaths {
  readonly #current = new Map<string, string>();

  of(path: string): string {
    return this.#current.get(path) ?? path;
  }

  /** From here back, what is now at `current` was at `path`. */
  moved(path: string, current: string): void {
    this.#current.set(path, current);
  }
}
