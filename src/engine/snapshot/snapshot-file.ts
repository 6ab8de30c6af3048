/** A snapshot as one file of columns beside the store, from which it is in memory at once: what it says can be made again. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '../../shared/version.ts';
import type { Numbers } from '../columns/growing.ts';
import {
  BrokenFile,
  type ReadAhead,
  readSections,
  readSectionsAhead,
  type Sections,
  writeSections,
} from '../columns/section-file.ts';
import { type StringColumns, StringTable } from '../columns/string-table.ts';
import type { HistoryColumns } from '../history/history-index.ts';
import type { LexicalColumns } from '../lexical/lexical-index.ts';
import type { DeclaredPackage } from '../packages/declared.ts';
import type { EmbeddingPlaces } from '../store/embedding-places.ts';
import type { KnownTerms } from '../store/terms.ts';
import { COLUMNS, type Column } from './chunk-table.ts';
import type { FileIdentity, IndexColumns } from './repository-index.ts';

/** Changes with what the sections mean. What is read of manifests is told by the version of Locus. */
const FORMAT = 4;

/** What a file holds: a snapshot, and the terms that its entries are of. */
export interface SnapshotColumns extends IndexColumns {
  terms: KnownTerms;
  /** Where the embeddings are that a search compares; null where that is not known. */
  embeddings: EmbeddingPlaces | null;
}

/**
 * The files of one snapshot in an index's folder, `snapshot-<id>-<generation>.columns`. One that is there is never written
 * to, nor is another put in its place: a process may have it open, which Windows does not allow for.
 */
export class SnapshotFiles {
  readonly #folder: string;
  readonly #snapshotId: number;

  constructor(folder: string, snapshotId: number) {
    this.#folder = folder;
    this.#snapshotId = snapshotId;
  }

  /**
   * The snapshot as it was when `state` said so; null where no file has that. One that is damaged counts as none.
   * @param ahead a file that was read already
   */
  read(state: string, ahead: ReadAhead | null = null): SnapshotColumns | null {
    const stamp = stampOf(state);
    for (const { path } of this.#generations().reverse()) {
      try {
        const sections = ahead?.path === path ? ahead.sections(stamp) : readSections(path, stamp);
        if (sections) return columnsOf(sections);
      } catch (error) {
        if (!(error instanceof BrokenFile) && !isOfSystem(error)) throw error;
      }
    }
    return null;
  }

  /**
   * Writes the next generation, and removes those before it as far as that can be; call while holding the writer lock.
   * @throws the system's errors
   */
  async write(state: string, columns: SnapshotColumns): Promise<void> {
    const before = this.#generations();
    const generation = (before.at(-1)?.generation ?? 0) + 1;
    const path = join(this.#folder, `snapshot-${this.#snapshotId}-${generation}.columns`);
    const unfinished = `${path}.new`;
    rmSync(unfinished, { force: true });
    try {
      await writeSections(unfinished, stampOf(state), sectionsOf(columns));
      await rename(unfinished, path);
    } catch (error) {
      remove(unfinished);
      throw error;
    }
    for (const old of before) remove(old.path);
  }

  /** The oldest first. */
  #generations(): { path: string; generation: number }[] {
    return filesIn(this.#folder)
      .filter(({ id }) => id === this.#snapshotId)
      .sort((a, b) => a.generation - b.generation);
  }
}

/**
 * Reads the only file of a folder in other threads, for who will ask for it; null where there is none, or several, or it cannot
 * be read.
 */
export async function readOnlyFileAhead(folder: string): Promise<ReadAhead | null> {
  try {
    const [file, ...others] = filesIn(folder);
    return file && others.length === 0 ? await readSectionsAhead(file.path) : null;
  } catch {
    // Who asks for it finds out why.
    return null;
  }
}

function filesIn(folder: string): { path: string; id: number; generation: number }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const [, id, generation] = /^snapshot-(\d+)-(\d+)\.columns$/.exec(name) ?? [];
    if (id === undefined) return [];
    return [{ path: join(folder, name), id: Number(id), generation: Number(generation) }];
  });
}

/** Removes the files, finished or not, of snapshots that there are no more; call while holding the writer lock. */
export function removeFilesBut(ids: ReadonlySet<number>, folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, id] = /^snapshot-(\d+)-\d+\.columns/.exec(name) ?? [];
    if (id !== undefined && !ids.has(Number(id))) remove(join(folder, name));
  }
}

/** Another version of Locus makes its own. */
function stampOf(state: string): string {
  return `${FORMAT} ${VERSION} ${state}`;
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}

/** Windows removes no file that is open; the next generation tries again. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The next generation tries again.
  }
}

function sectionsOf({
  files,
  chunks,
  lexical,
  edges,
  history,
  terms,
  embeddings,
}: SnapshotColumns): Map<string, Numbers> {
  const sections = new Map<string, Numbers>();
  putFiles(sections, files);
  for (const column of COLUMNS) sections.set(`chunks.${column}`, chunks.numbers[column]);
  putStrings(sections, 'names', chunks.names);
  putColumns(sections, 'lexical', lexical);
  putColumns(sections, 'edges', edges);
  if (history) putHistory(sections, history);
  if (embeddings) putPlaces(sections, embeddings);
  putStrings(sections, 'terms', terms);
  sections.set('terms.sum', Uint32Array.of(terms.sum));
  return sections;
}

function columnsOf(sections: Sections): SnapshotColumns {
  const words = (name: string) => column(sections, name, Uint32Array);
  const numbers = Object.fromEntries(COLUMNS.map((name) => [name, words(`chunks.${name}`)]));
  return {
    files: filesOf(sections),
    chunks: {
      numbers: numbers as Record<Column, Uint32Array>,
      names: stringsOf(sections, 'names'),
    },
    lexical: lexicalOf(sections, 'lexical'),
    edges: { callers: words('edges.callers'), callees: words('edges.callees') },
    history: sections.has('history.times') ? historyOf(sections) : null,
    embeddings: sections.has('embeddings.of') ? placesOf(sections) : null,
    terms: { ...stringsOf(sections, 'terms'), sum: words('terms.sum')[0] ?? 0 },
  };
}

/** By file: numbers of strings, and numbers. */
const FILE_COLUMNS = ['path', 'hash', 'parser', 'versionId', 'generated', 'chunks'] as const;

function putFiles(sections: Map<string, Numbers>, files: IndexColumns['files']): void {
  const strings = new StringTable();
  const numberOf = (value: string | number) =>
    typeof value === 'string' ? strings.intern(value) : value;
  for (const name of FILE_COLUMNS)
    sections.set(
      `files.${name}`,
      Uint32Array.from(files, (file) => numberOf(file[name])),
    );
  putStrings(sections, 'files', strings.columns());
  const declares = files.flatMap(({ declares }, place) => (declares ? [[place, declares]] : []));
  sections.set('files.declares', Buffer.from(JSON.stringify(declares)));
}

function filesOf(sections: Sections): IndexColumns['files'] {
  const strings = new StringTable(stringsOf(sections, 'files')).texts();
  const text = (number = 0) => strings[number] ?? '';
  const words = (name: string) => column(sections, `files.${name}`, Uint32Array);
  const [paths, hashes, parsers] = [words('path'), words('hash'), words('parser')];
  const [versions, generated, chunks] = [words('versionId'), words('generated'), words('chunks')];
  const json = Buffer.from(column(sections, 'files.declares', Uint8Array)).toString();
  const declares = new Map(JSON.parse(json) as [number, DeclaredPackage][]);
  return Array.from(paths, (path, place): FileIdentity & { chunks: number } => ({
    path: text(path),
    hash: text(hashes[place]),
    parser: text(parsers[place]),
    versionId: versions[place] ?? 0,
    generated: generated[place] ?? 0,
    declares: declares.get(place) ?? null,
    chunks: chunks[place] ?? 0,
  }));
}

function putPlaces(sections: Map<string, Numbers>, places: EmbeddingPlaces): void {
  const { sums, rows, slots, ...of } = places;
  sections.set('embeddings.of', Buffer.from(JSON.stringify(of)));
  putColumns(sections, 'embeddings', { sums, rows, slots });
}

function placesOf(sections: Sections): EmbeddingPlaces {
  const words = (name: string) => column(sections, `embeddings.${name}`, Uint32Array);
  const json = Buffer.from(column(sections, 'embeddings.of', Uint8Array)).toString();
  const of = JSON.parse(json) as Pick<EmbeddingPlaces, 'model' | 'file' | 'length'>;
  return { ...of, sums: words('sums'), rows: words('rows'), slots: words('slots') };
}

function putHistory(sections: Map<string, Numbers>, history: HistoryColumns): void {
  const { hashes, subjects, paths, names, terms, messages, ...numbers } = history;
  putColumns(sections, 'history', numbers);
  putColumns(sections, 'messages', messages);
  for (const [name, strings] of Object.entries({ hashes, subjects, paths, names, terms }))
    putStrings(sections, `history.${name}`, strings);
}

function historyOf(sections: Sections): HistoryColumns {
  const words = (name: string) => column(sections, `history.${name}`, Uint32Array);
  const strings = (name: string) => stringsOf(sections, `history.${name}`);
  return {
    hashes: strings('hashes'),
    subjects: strings('subjects'),
    times: column(sections, 'history.times', Float64Array),
    definitionCounts: words('definitionCounts'),
    definitions: words('definitions'),
    fileCounts: words('fileCounts'),
    files: words('files'),
    paths: strings('paths'),
    names: strings('names'),
    filesOfDefinitions: words('filesOfDefinitions'),
    terms: strings('terms'),
    messages: lexicalOf(sections, 'messages'),
  };
}

function lexicalOf(sections: Sections, name: string): LexicalColumns {
  const words = (part: string) => column(sections, `${name}.${part}`, Uint32Array);
  const bytes = (part: string) => column(sections, `${name}.${part}`, Uint8Array);
  return {
    log: bytes('log'),
    sizes: words('sizes'),
    lengths: words('lengths'),
    frequencies: words('frequencies'),
    postings: bytes('postings'),
    listStarts: words('listStarts'),
  };
}

function putColumns(sections: Map<string, Numbers>, name: string, columns: object): void {
  for (const [part, column] of Object.entries(columns)) sections.set(`${name}.${part}`, column);
}

function putStrings(
  sections: Map<string, Numbers>,
  name: string,
  { bytes, offsets, table }: StringColumns,
): void {
  sections.set(`${name}.bytes`, bytes);
  sections.set(`${name}.offsets`, offsets);
  if (table) sections.set(`${name}.table`, table);
}

function stringsOf(sections: Sections, name: string): StringColumns {
  return {
    bytes: column(sections, `${name}.bytes`, Uint8Array),
    offsets: column(sections, `${name}.offsets`, Uint32Array),
    table: sections.has(`${name}.table`)
      ? column(sections, `${name}.table`, Uint32Array)
      : undefined,
  };
}

/** @throws BrokenFile where the file has none of this name and type. */
function column<A extends Numbers>(
  sections: Sections,
  name: string,
  type: new (length: number) => A,
): A {
  const found = sections.get(name);
  if (!(found instanceof type)) throw new BrokenFile(`${name} is missing`);
  return found;
}
