import { throwIfCancelled } from '../../base/cancel.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import { quoted } from '../../shared/quoted.ts';
import { languageOf } from '../languages/index.ts';
import { declaredIn } from '../packages/declared.ts';
import type { ParserPool, UnreadFile } from '../parse/pool.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import { roleOf } from '../source/role.ts';
import type { SourceContent, SourceEntry, SourceTree } from '../source/types.ts';
import type { NewFileVersion } from '../store/file-versions.ts';
import type { Store } from '../store/store.ts';

/**
 * Returns the order of parsing: one list of files per thread. Each list has few languages, since grammars are slow to load, and
 * starts with source files, so that an early search finds what users look for most.
 */
export function parseLists<File extends { path: string }>(
  files: readonly File[],
  threads: number,
): File[][] {
  const byLanguage = Map.groupBy(files, ({ path }) => languageOf(path)?.name ?? '');
  const sorted = [...byLanguage.keys()].sort().flatMap((name) => byLanguage.get(name) ?? []);
  return inPieces(sorted, threads).map((list) => {
    const bySource = Map.groupBy(list, ({ path }) => roleOf(path) === 'source');
    return [...(bySource.get(true) ?? []), ...(bySource.get(false) ?? [])];
  });
}

function inPieces<T>(list: readonly T[], pieces: number): T[][] {
  const length = Math.ceil(list.length / pieces);
  return Array.from({ length: pieces }, (_, i) => list.slice(i * length, (i + 1) * length));
}

/** A batch is stored when it holds this many files or this much text. */
const BATCH_FILES = 64;
const BATCH_CHARACTERS = 2_000_000;

export interface FileStageParts {
  store: Store;
  tree: SourceTree;
  index: RepositoryIndex;
  pool: Pick<ParserPool, 'parse' | 'size'>;
  /** Returns the parser version for a path's language. Chunks of other versions are not reused. */
  parserOf: (path: string) => string;
  batchFiles?: number;
  signal?: AbortSignal;
  onFile: () => void;
}

export interface FileChanges {
  /** Paths that were parsed, and paths whose chunks were already stored. */
  parsed: string[];
  linked: string[];
  removed: string[];
  skipped: SkippedFile[];
  /** Messages for the user. */
  notes: string[];
}

/**
 * Updates the files of a snapshot from a source tree. Files whose content hash is new are parsed (unless the same content of the
 * same path was parsed before), stored and added to the index in batches. Each batch is one transaction, so the process may be
 * killed at any moment.
 */
export class FileStage {
  readonly #parts: FileStageParts;
  readonly #changes: FileChanges = {
    parsed: [],
    linked: [],
    removed: [],
    skipped: [],
    notes: [],
  };
  /** Texts of the files that are being parsed, by path, since threads don't return the text. */
  readonly #texts = new Map<string, string>();
  #batch: NewFileVersion[] = [];
  #batchCharacters = 0;
  readonly #batchFiles: number;

  constructor(parts: FileStageParts) {
    this.#parts = parts;
    this.#batchFiles = parts.batchFiles ?? BATCH_FILES;
  }

  remove(paths: readonly string[]): void {
    const { store, index } = this.#parts;
    const known = paths.filter((path) => index.file(path));
    if (known.length === 0) return;
    store.transaction(() => {
      this.#forgetChunks(known);
      store.snapshots.change(index.snapshotId, [], known);
    });
    for (const path of known) index.removeFile(path);
    this.#changes.removed.push(...known);
  }

  async bringIn(entries: readonly SourceEntry[]): Promise<void> {
    const unread = entries.filter(
      (entry) => entry.hash === null || !this.#takeKnown(entry.path, entry.hash),
    );
    const { pool } = this.#parts;
    const lists = parseLists(unread, pool.size).map((list) => this.#unparsed(list));
    const unreadable = ({ path, cause }: UnreadFile) => {
      this.#texts.delete(path);
      this.#skip({ path, skipped: { path, reason: 'unreadable', detail: cause } });
    };
    for await (const parsed of pool.parse(lists, unreadable)) {
      const content = this.#takeText(parsed.path);
      if (parsed.failure)
        this.#changes.notes.push(
          `${quoted(parsed.path)} could not be parsed and is indexed as plain text: ${quoted(parsed.failure)}.`,
        );
      this.#batch.push({ ...parsed, content, parser: this.#parts.parserOf(parsed.path) });
      this.#batchCharacters += content.length;
      if (this.#batch.length >= this.#batchFiles || this.#batchCharacters >= BATCH_CHARACTERS)
        this.#flush();
      this.#parts.onFile();
      throwIfCancelled(this.#parts.signal, 'Indexing');
    }
    this.#flush();
  }

  get changes(): FileChanges {
    return this.#changes;
  }

  /** Yields the contents that must be parsed. Handles skipped and already stored files itself. */
  async *#unparsed(
    entries: readonly SourceEntry[],
  ): AsyncGenerator<{ path: string; hash: string; text: string }> {
    for await (const content of this.#parts.tree.read(entries, this.#parts.signal)) {
      throwIfCancelled(this.#parts.signal, 'Indexing');
      if ('skipped' in content) this.#skip(content);
      else if (!this.#takeKnown(content.path, content.hash)) {
        this.#texts.set(content.path, content.text);
        yield { path: content.path, hash: content.hash, text: content.text };
      }
    }
  }

  /**
   * Removes and returns the text of a parsed file.
   * @throws Error if there is none, which is a defect: the file would be stored empty.
   */
  #takeText(path: string): string {
    const text = this.#texts.get(path);
    if (text === undefined) throw new Error(`${path} was parsed, but its text is missing`);
    this.#texts.delete(path);
    return text;
  }

  #skip(content: Extract<SourceContent, { skipped: SkippedFile }>): void {
    this.remove([content.path]);
    this.#changes.skipped.push(content.skipped);
    this.#parts.onFile();
  }

  /** Returns true if this content is already in the snapshot, or if its stored chunks could be added to it. */
  #takeKnown(path: string, hash: string): boolean {
    const { store, index, parserOf, onFile } = this.#parts;
    const parser = parserOf(path);
    const current = index.file(path);
    if (current?.hash !== hash || current.parser !== parser) {
      const versionId = store.versions.find(path, hash, parser);
      if (versionId === undefined) return false;
      store.transaction(() => {
        this.#forgetChunks([path]);
        store.snapshots.change(index.snapshotId, [{ path, versionId }], []);
      });
      this.#putStored({ path, hash, parser, versionId });
      this.#changes.linked.push(path);
    }
    onFile();
    return true;
  }

  #flush(): void {
    const { store, index } = this.#parts;
    const batch = this.#batch;
    this.#batch = [];
    this.#batchCharacters = 0;
    if (batch.length === 0) return;
    const stored = store.transaction(() => {
      this.#forgetChunks(batch.map((file) => file.path));
      const put = batch.map((file) => ({ file, version: store.versions.add(file) }));
      const files = put.map(({ file: { path }, version }) => ({ path, versionId: version.id }));
      store.snapshots.change(index.snapshotId, files, []);
      return put;
    });
    for (const { file, version } of stored) {
      const { path, hash, parser, content } = file;
      const generated = Number(file.generated);
      const declares = declaredIn(path, () => content);
      const identity = { path, versionId: version.id, hash, parser, generated, declares };
      index.putFile(identity, version.chunks, version.termCounts);
      this.#changes.parsed.push(path);
    }
  }

  /** Adds a stored version to the index in memory. */
  #putStored(file: { path: string; hash: string; parser: string; versionId: number }): void {
    const { versions } = this.#parts.store;
    this.#parts.index.putFile(
      {
        ...file,
        generated: versions.about(file.versionId).generated,
        declares: declaredIn(file.path, () => versions.content(file.versionId)),
      },
      versions.chunks(file.versionId),
      versions.termCounts(file.versionId),
    );
  }

  /** Removes the stored edges and embedding links of the chunks that these paths had before. */
  #forgetChunks(paths: readonly string[]): void {
    const { store, index } = this.#parts;
    const ids = paths.flatMap((path) =>
      index.slotsByPath(path).map((slot) => index.chunk(slot).id),
    );
    if (ids.length === 0) return;
    store.edges.replace(index.snapshotId, ids, []);
    store.embeddings.unlink(index.snapshotId, ids);
  }
}
