/** Files of columns beside the store, from which a snapshot is loaded quickly. They can be rebuilt from the store. */
import { rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '../../shared/version.ts';
import {
  BrokenFile,
  type PrefetchedSections,
  prefetchSections,
  readSections,
  writeSections,
} from '../columns/section-file.ts';
import { packStrings, type StringColumns, StringTable } from '../columns/string-table.ts';
import type { DeclaredPackage } from '../packages/declared-package.ts';
import type { EmbeddingRowMap } from '../store/embedding-row-map.ts';
import { listFolder, removeIfPossible } from '../store/row-generations.ts';
import type { CachedTerms } from '../store/terms.ts';
import type { IndexColumns } from './repository-index.ts';

/** Version of the columns. Changes to how manifests are read are covered by the version of Locus. */
const FORMAT = 7;

/** Content of a file: a snapshot, and the terms of its lexical index. */
export interface SnapshotColumns extends IndexColumns {
  terms: CachedTerms;
  /** Row map of the embeddings; null if unknown. */
  embeddings: EmbeddingRowMap | null;
}

/**
 * Files of one snapshot in an index's folder: `snapshot-<id>-<generation>.columns`. A file is never changed or replaced, since
 * another process may have it open, and Windows would then refuse.
 */
export class SnapshotFiles {
  readonly #folder: string;
  readonly #snapshotId: number;

  constructor(folder: string, snapshotId: number) {
    this.#folder = folder;
    this.#snapshotId = snapshotId;
  }

  /**
   * Reads the snapshot with this identity. Returns null if no intact file has it.
   * @param ahead a file that was prefetched.
   */
  read(state: string, ahead: PrefetchedSections | null = null): SnapshotColumns | null {
    const stamp = createStamp(state);
    for (const { path } of this.#listGenerations().reverse()) {
      try {
        const stored: StoredColumns | null =
          ahead?.path === path ? ahead.sections(stamp) : readSections(path, stamp);
        if (stored) return { ...stored, files: unpackFiles(stored.files) };
      } catch (error) {
        if (!(error instanceof BrokenFile) && !isSystemError(error)) throw error;
      }
    }
    return null;
  }

  /**
   * Writes the next generation, and removes earlier ones if possible. Call while holding the writer lock.
   * @throws the errors of the file system
   */
  async write(state: string, columns: SnapshotColumns): Promise<void> {
    const before = this.#listGenerations();
    const generation = (before.at(-1)?.generation ?? 0) + 1;
    const path = join(this.#folder, `snapshot-${this.#snapshotId}-${generation}.columns`);
    const unfinished = `${path}.new`;
    rmSync(unfinished, { force: true });
    try {
      const stored: StoredColumns = { ...columns, files: packFiles(columns.files) };
      await writeSections(unfinished, createStamp(state), stored);
      await rename(unfinished, path);
    } catch (error) {
      removeIfPossible(unfinished);
      throw error;
    }
    for (const old of before) removeIfPossible(old.path);
  }

  #listGenerations(): { path: string; generation: number }[] {
    return listSnapshotFiles(this.#folder)
      .filter(({ id }) => id === this.#snapshotId)
      .sort((a, b) => a.generation - b.generation);
  }
}

/**
 * Reads the file of a folder's only snapshot in other threads, for a later `read`. Returns null if there is no file, if there
 * are several, or if it is unreadable.
 */
export async function prefetchOnlySnapshot(folder: string): Promise<PrefetchedSections | null> {
  try {
    const [file, ...others] = listSnapshotFiles(folder);
    return file && others.length === 0 ? await prefetchSections(file.path) : null;
  } catch {
    // The later regular read reports the error.
    return null;
  }
}

function listSnapshotFiles(folder: string): { path: string; id: number; generation: number }[] {
  return listFolder(folder).flatMap((name) => {
    const [, id, generation] = /^snapshot-(\d+)-(\d+)\.columns$/.exec(name) ?? [];
    if (id === undefined) return [];
    return [{ path: join(folder, name), id: Number(id), generation: Number(generation) }];
  });
}

/** Removes the files, finished or not, of all other snapshots. Call while holding the writer lock. */
export function removeOtherSnapshotFiles(ids: ReadonlySet<number>, folder: string): void {
  for (const name of listFolder(folder)) {
    const [, id] = /^snapshot-(\d+)-\d+\.columns/.exec(name) ?? [];
    if (id !== undefined && !ids.has(Number(id))) removeIfPossible(join(folder, name));
  }
}

/** Returns the stamp of a file, which also identifies the format and the version of Locus. */
function createStamp(state: string): string {
  return `${FORMAT} ${VERSION} ${state}`;
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}

type StoredColumns = Omit<SnapshotColumns, 'files'> & { files: ReturnType<typeof packFiles> };

function packFiles(files: IndexColumns['files']) {
  const texts = (name: 'path' | 'hash' | 'parser') => packStrings(files.map((file) => file[name]));
  const words = (name: 'versionId' | 'generated' | 'chunks') =>
    Uint32Array.from(files, (file) => file[name]);
  const declares = files.flatMap(({ declares }, place) => (declares ? [[place, declares]] : []));
  return {
    path: texts('path'),
    hash: texts('hash'),
    parser: texts('parser'),
    versionId: words('versionId'),
    generated: words('generated'),
    chunks: words('chunks'),
    declares: Buffer.from(JSON.stringify(declares)),
  };
}

function unpackFiles(packed: StoredColumns['files']): IndexColumns['files'] {
  const texts = (columns: StringColumns) => new StringTable(columns).getTexts();
  const [hashes, parsers] = [texts(packed.hash), texts(packed.parser)];
  const json = Buffer.from(packed.declares).toString();
  const declares = new Map(JSON.parse(json) as [number, DeclaredPackage][]);
  return texts(packed.path).map((path, place) => ({
    path,
    hash: hashes[place] ?? '',
    parser: parsers[place] ?? '',
    versionId: packed.versionId[place] ?? 0,
    generated: packed.generated[place] ?? 0,
    declares: declares.get(place) ?? null,
    chunks: packed.chunks[place] ?? 0,
  }));
}
