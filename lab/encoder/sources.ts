/** Reads the sources of rows: mined repositories, and repositories of real issues. */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  CALLEE_CHARACTERS,
  countQueryTerms,
  countTerms,
  createTextQuery,
  type EncoderDocument,
  type EncoderQuery,
  LexicalIndex,
} from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { Terms, toParsed } from '../mining/consistency.ts';
import { type ChunkLine, type CommitLine, readTrainingData } from '../mining/format.ts';
import { type CodeAround, makeFieldsQuery, makeIssue, makeMessageQuery } from './made-issues.ts';
import { Random } from './random.ts';

/** A repository: its chunks, and the queries that they answer. Chunks are indices into `documents`. */
export interface Source {
  /** `owner+name`. */
  name: string;
  documents: EncoderDocument[];
  /** Key of each chunk. All versions of a chunk share one key. */
  keys: number[];
  /** Snapshots that contain each chunk, as bits. */
  snapshots: number[];
  commits: SourceCommit[];
  /** Docstrings as queries, each with its chunk without the docstring. */
  docstrings: { chunk: number; query: EncoderQuery; document: EncoderDocument }[];
  /** True if the queries are issues, not commit messages. */
  isReal: boolean;
}

export interface SourceCommit {
  /** The unchanged message, then made issues, the same number for each commit. */
  queries: EncoderQuery[];
  snap: number;
  /** Edited chunks (`pos`), unedited ones of the same files (`sib`), and unedited ones that rank first (`neg`). */
  pos: number[];
  sib: number[];
  neg: number[];
  /** Id of an issue with a list. `chunks` has the chunks to rank. */
  instance?: string;
  candidates?: number[];
  /** A ranked list: the candidates' scores in the initial ranking, standardized, and the number of edited chunks. */
  list?: { scores: number[]; edited: number };
}

/** Number of unedited chunks that BM25 finds for a commit. A training step draws some of them. */
const HARD = 12;
/** Maximum number of docstrings of a repository, and minimum length of a meaningful one. */
const DOCSTRINGS = 1500;
const DOCSTRING_CHARACTERS = 40;
/** Minimum number of characters of a chunk besides its docstring and its path. */
const MIN_REST = 60;

/** A candidate with its score in an initial ranking. */
export interface RankedChunk {
  number: number;
  score: number;
}

/** Chunks to rank for a query, best first, and the edited ones among them. */
export interface RankedList {
  candidates: RankedChunk[];
  edited: number[];
}

/** Chooses the candidates of a ranked list, or none. */
export type ChooseList = (edited: readonly number[], ranking: RankedChunk[]) => RankedList | null;

interface MinedOptions {
  /** Maximum number of commits, drawn at random. By default, all. */
  commits?: number;
  /** Makes a ranked list of a commit's ranking by words. Commits without one are left out. */
  chooseList?: ChooseList;
}

/** Reads a file that the task `mine` wrote. */
export async function readMined(
  file: string,
  copies: ReadonlySet<string>,
  variants: number,
  { commits: most, chooseList }: MinedOptions = {},
): Promise<Source> {
  const chunks: ChunkLine[] = [];
  const lines: CommitLine[] = [];
  for await (const line of readTrainingData(file)) {
    if (line.kind === 'chunk') chunks.push(line.chunk);
    else if (line.kind === 'commit') lines.push(line.commit);
  }
  const name = basename(file, '.zst');
  const random = new Random(name);
  const parsed = chunks.map(parsedChunk);
  const isCopy = parsed.map((chunk) => copies.has(computeDigest(chunk) ?? ''));
  const original = (numbers: readonly number[] = []) => numbers.filter((i) => !isCopy[i]);
  const documents = chunks.map(([path, , , , , callees], i): EncoderDocument => {
    const { text, signatureEnd, doc } = assertPresent(parsed[i], 'a chunk');
    const heads = original(callees).map((callee) => {
      const [calleePath, , , calleeText] = assertPresent(chunks[callee], 'a callee');
      return { path: calleePath, text: calleeText.slice(0, CALLEE_CHARACTERS) };
    });
    return { path, text, signatureEnd, doc, callees: heads };
  });
  const keys = numberNames(chunks.map(([path, qualifiedName]) => `${path}\0${qualifiedName}`));
  const snapshots = chunks.map(([, , , , , , held], i) =>
    isCopy[i] ? 0 : held.reduce((bits, snapshot) => bits | (1 << snapshot), 0),
  );
  const around = codeAround(chunks, documents);
  const rankByWords = createWordRanking(chunks, parsed, keys, snapshots);
  const isReal = lines.some(({ issue }) => issue);
  const usable = lines
    .map((commit) => ({ ...commit, pos: original(commit.pos), sib: original(commit.sib) }))
    .filter(isUsable);
  const drawn = most === undefined ? usable : random.some(usable, most);
  const commits = drawn.flatMap((commit): SourceCommit[] => {
    const { snap, pos, sib } = commit;
    const ranking = rankByWords(commit);
    const list = chooseList?.(pos, ranking);
    if (list === null) return [];
    const made = Array.from({ length: isReal ? 0 : variants }, () =>
      makeIssue(commit, around, random),
    );
    const edited = new Set(pos);
    const unedited = ranking.flatMap(({ number }) => (edited.has(number) ? [] : [number]));
    const queries = [makeMessageQuery(commit), ...made];
    const source = { queries, snap, pos, sib, neg: unedited.slice(0, HARD) };
    return [list ? withList(source, list, pos.length) : source];
  });
  const docstrings = makeDocstringPairs(documents, snapshots, random);
  return { name, documents, keys, snapshots, commits, docstrings, isReal };
}

/** Returns a commit with a ranked list. Its edited and unedited chunks are those of the list. */
function withList(commit: SourceCommit, { candidates, edited }: RankedList, all: number) {
  const numbers = candidates.map(({ number }) => number);
  return {
    ...commit,
    ...{ candidates: numbers, pos: edited, sib: [] },
    neg: numbers.filter((number) => !edited.includes(number)),
    list: { scores: candidates.map(({ score }) => score), edited: all },
  };
}

/**
 * Reads a file of issues that `training-lists` or `training-issues` wrote. All candidates are of one snapshot. The unedited
 * candidates that rank first are the hard negatives.
 */
export function readIssues(
  file: string,
  copies: ReadonlySet<string> = new Set(),
  chooseList?: ChooseList,
): Source {
  const places = new Map<string, number>();
  const documents: EncoderDocument[] = [];
  const placeOf = ({ path, text, signatureEnd, doc, callees }: EncoderDocument) => {
    const document = { path, text, signatureEnd, doc, callees };
    const content = JSON.stringify(document);
    const known = places.get(content);
    if (known !== undefined) return known;
    places.set(content, documents.length);
    return documents.push(document) - 1;
  };
  const commits: SourceCommit[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const read: EncoderDocument | IssueLine = JSON.parse(line);
    if (!('instance' in read)) {
      documents.push(read);
      continue;
    }
    const candidates = read.candidates.map((one) => (typeof one === 'number' ? one : placeOf(one)));
    const edited = new Set(Array.isArray(read.edited) ? read.edited : []);
    for (const [i, one] of read.candidates.entries())
      if (typeof one !== 'number' && one.isEdited)
        edited.add(assertPresent(candidates[i], 'a place'));
    const neg = candidates.filter((number) => !edited.has(number)).slice(0, HARD);
    const commit: SourceCommit = {
      ...{ instance: read.instance, candidates, queries: [createTextQuery(read.issue)] },
      ...{ snap: 0, pos: [...edited], sib: [], neg },
    };
    const ranking = read.candidates.flatMap((one, i) => {
      if (typeof one === 'number') return [];
      return [{ number: assertPresent(candidates[i], 'a place'), score: one.score }];
    });
    const list = chooseList?.(commit.pos, ranking);
    const all = Array.isArray(read.edited) ? edited.size : read.edited;
    if (list !== null) commits.push(list ? withList(commit, list, all) : commit);
  }
  const isCopy = documents.map((document) => copies.has(computeDigest(document) ?? ''));
  for (const commit of commits) {
    commit.pos = commit.pos.filter((number) => !isCopy[number]);
    commit.neg = commit.neg.filter((number) => !isCopy[number]);
  }
  return {
    name: basename(file, '.jsonl').replace('__', '+'),
    documents,
    // Documents have no names, so their signatures identify them.
    keys: numberNames(
      documents.map((one) => `${one.path}\0${one.text.slice(0, one.signatureEnd)}`),
    ),
    snapshots: isCopy.map((copied) => (copied ? 0 : 1)),
    ...{ commits, docstrings: [], isReal: true },
  };
}

interface IssueLine {
  instance: string;
  issue: string;
  /** Lines of documents in files of `training-issues`; candidates, best first, in lists. */
  candidates: (number | (EncoderDocument & { isEdited: boolean; score: number }))[];
  /** Lines of documents; in lists, the number of edited chunks. */
  edited: number[] | number;
}

/** Number of lines of a function's body that identify copies, without comments and empty lines, and their minimum length. */
const DIGEST_LINES = 12;
const DIGEST_CHARACTERS = 100;

/** Returns digests of all functions in a folder of `training-issues`. Copies of them, as in vendored code, are not used for training. */
export function readCopies(folder: string): Set<string> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const digests = files.flatMap((name) =>
    readIssues(join(folder, name)).documents.map(computeDigest),
  );
  return new Set(digests.filter((digest) => digest !== null));
}

/** Returns a digest of a function, or null if its body is too short to be distinctive. */
export function computeDigest({
  text,
  signatureEnd,
}: Pick<EncoderDocument, 'text' | 'signatureEnd'>): string | null {
  const lines = text.slice(signatureEnd).split('\n');
  const kept = lines.map((line) => line.trim()).filter((line) => line && !line.startsWith('#'));
  const told = kept.slice(0, DIGEST_LINES).join('\n');
  return told.length < DIGEST_CHARACTERS ? null : hash('sha1', told);
}

/** Messages that say nothing about the edit. */
const IDLE =
  /^(merge|bump|release|revert|version|wip|fix lint|lint|black|isort|pep ?8|flake8|typo|cleanup|formatting)\b/i;

function isUsable({ m, pos }: CommitLine): boolean {
  const message = m.trim();
  return message.length >= 12 && pos.length >= 1 && pos.length <= 12 && !IDLE.test(message);
}

function numberNames(names: readonly string[]): number[] {
  const numbers = new Map<string, number>();
  return names.map((name) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
}

/** Converts a chunk to one with offsets instead of lines. Files of version 1 lack the end of the signature. */
function parsedChunk(chunk: ChunkLine): ReturnType<typeof toParsed> {
  const parsed = toParsed(chunk);
  const [, qualifiedName, kind, text, , , , signature] = chunk;
  if (signature !== undefined) return parsed;
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  return { ...parsed, signatureEnd: headerEnd(text, kind === 'c' ? 'class' : 'def', name) };
}

const BRACKETS = /[()[\]{}]|#.*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g;

/** Returns the offset after the line that ends the header of a Python definition. */
function headerEnd(text: string, keyword: string, name: string): number {
  const endOfLine = (from: number) => {
    const end = text.indexOf('\n', from);
    return end < 0 ? text.length : end;
  };
  const header = text
    .matchAll(/^ *(?:async +)?(class|def) +(\w+)/gm)
    .find(([, kind, named]) => kind === keyword && named === name);
  if (!header) return endOfLine(0);
  let depth = 0;
  for (let start = header.index; ; ) {
    const end = endOfLine(start);
    for (const [bracket] of text.slice(start, end).matchAll(BRACKETS)) {
      if (bracket.length === 1) depth += '([{'.includes(bracket) ? 1 : -1;
    }
    if (depth <= 0 || end === text.length) return end;
    start = end + 1;
  }
}

/** Maximum number of callers of a chunk that a traceback can use. */
const CALLERS = 4;

function codeAround(
  chunks: readonly ChunkLine[],
  documents: readonly EncoderDocument[],
): CodeAround {
  const callers = new Map<number, number[]>();
  for (const [caller, [, , , , , callees]] of chunks.entries()) {
    for (const callee of callees) {
      const of = callers.get(callee) ?? [];
      if (of.length < CALLERS) callers.set(callee, [...of, caller]);
    }
  }
  return {
    frameOf(number) {
      const [path, qualifiedName] = assertPresent(chunks[number], 'a chunk');
      return { path, qualifiedName };
    },
    linesOf(number) {
      const { text, signatureEnd } = assertPresent(documents[number], 'a chunk');
      const lines = text.slice(signatureEnd).split('\n');
      return lines
        .map((line) => line.trim())
        .filter((line) => /^[^#"'@/*]/.test(line) && line.length > 8);
    },
    callersOf: (number) => callers.get(number) ?? [],
  };
}

/**
 * Returns a function that ranks the chunks of a commit's snapshot by BM25 for its message. Edited chunks are among them as they
 * were before the commit, without other versions of them. Chunks that share no word with the message are left out.
 */
function createWordRanking(
  chunks: readonly ChunkLine[],
  parsed: readonly ReturnType<typeof toParsed>[],
  keys: readonly number[],
  snapshots: readonly number[],
): (commit: CommitLine) => RankedChunk[] {
  const terms = new Terms();
  const index = new LexicalIndex(terms);
  for (const [number, [path]] of chunks.entries())
    index.add(number, terms.counted(countTerms(path, [assertPresent(parsed[number], 'a chunk')])));
  index.build();
  return ({ m, pos, snap }) => {
    const words = new Map(Array.from(countQueryTerms(m), ([term, n]) => [term, Math.sqrt(n)]));
    const scores = index.score(index.createQuery(words));
    const edited = new Set(pos);
    const versions = new Set(pos.map((number) => keys[number]));
    const ranking: RankedChunk[] = [];
    for (const [number, score] of scores.entries()) {
      const isThere = assertPresent(snapshots[number], 'snapshots') & (1 << snap);
      const isCandidate = edited.has(number) || (isThere && !versions.has(keys[number]));
      if (score > 0 && isCandidate) ranking.push({ number, score });
    }
    return ranking.sort((a, b) => b.score - a.score || a.number - b.number);
  };
}

/** Returns docstrings of random chunks, and these chunks without their docstrings. */
function makeDocstringPairs(
  documents: readonly EncoderDocument[],
  snapshots: readonly number[],
  random: Random,
): Source['docstrings'] {
  const eligible = documents.flatMap(({ doc }, chunk) =>
    doc && snapshots[chunk] && doc[1] - doc[0] >= DOCSTRING_CHARACTERS ? [chunk] : [],
  );
  return random.some(eligible, DOCSTRINGS).flatMap((chunk) => {
    const document = assertPresent(documents[chunk], 'a chunk');
    const [start, end] = assertPresent(document.doc, 'a docstring');
    const text = document.text.slice(start, end).replace(/^[\s"'rRuU]+|[\s"'rRuU]+$/g, '');
    const rest = document.text.slice(0, start) + document.text.slice(end + 1);
    if (rest.length - document.path.length < MIN_REST || text === '') return [];
    const signatureEnd =
      start < document.signatureEnd
        ? document.signatureEnd - (end + 1 - start)
        : document.signatureEnd;
    const query = makeFieldsQuery({ title: '', text, code: '', trace: '' });
    return [{ chunk, query, document: { ...document, text: rest, signatureEnd, doc: null } }];
  });
}
