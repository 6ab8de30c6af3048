import { throwIfCancelled } from '../../base/cancel.ts';
import { isMinified } from '../../base/minified.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import { quoteText } from '../../shared/quote.ts';
import { findLanguage } from '../languages/index.ts';
import { readDeclaredPackage } from '../packages/declared-package.ts';
import { hasGeneratedNotice } from '../parse/generated-code.ts';
import type { ParserPool, UnparsedFile } from '../parse/pool.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import { batchBySize, LARGE_FILE_BYTES, reportLargeGenerated } from '../source/limits.ts';
import type { SourceContent, SourceEntry, SourceTree } from '../source/types.ts';
import type { NewFileVersion } from '../store/file-versions.ts';
import type { Store } from '../store/store.ts';
import { planParsing } from './parse-order.ts';

/** Returns true for large code that a tool wrote, which would take much memory and which no fix edits. */
function isLargeGenerated({ path, size, text }: { path: string; size: number; text: string }) {
  if (size <= LARGE_FILE_BYTES) return false;
  const minified = findLanguage(path)?.files.minified ?? false;
  return hasGeneratedNotice(text) || (minified && isMinified(text));
}

/** A batch is stored when it holds this many files or this many bytes of packed text. The first one is small, since searches wait for it. */
const BATCH_FILES = 64;
const FIRST_BATCH_FILES = 8;
const BATCH_BYTES = 500_000;

export interface FileStageContext {
  store: Store;
  tree: SourceTree;
  index: RepositoryIndex;
  pool: Pick<ParserPool, 'parse' | 'size'>;
  /** Returns the parser version for a path's language. Chunks of other versions are not reused. */
  parserOf: (path: string) => string;
  batchFiles?: number;
  /** Text of the issue that somebody waits for. */
  about?: string | undefined;
  signal?: AbortSignal;
  onFile: () => void;
}

export interface FileChanges {
  /** Paths that were parsed, and paths whose chunks were already stored. */
  parsed: string[];
  reused: string[];
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
  readonly #context: FileStageContext;
  readonly #changes: FileChanges = {
    parsed: [],
    reused: [],
    removed: [],
    skipped: [],
    notes: [],
  };
  #batch: NewFileVersion[] = [];
  #batchBytes = 0;
  /** Number of files in the current batch at which it is stored. */
  #batchFiles: number;

  constructor(parts: FileStageContext) {
    this.#context = parts;
    this.#batchFiles = parts.batchFiles ?? FIRST_BATCH_FILES;
  }

  remove(paths: readonly string[]): void {
    const { store, index } = this.#context;
    const known = paths.filter((path) => index.getFile(path));
    if (known.length === 0) return;
    store.transaction(() => {
      this.#removeChunkData(known);
      store.snapshots.changeFiles(index.snapshotId, [], known);
    });
    for (const path of known) index.removeFile(path);
    this.#changes.removed.push(...known);
  }

  async update(entries: readonly SourceEntry[]): Promise<void> {
    const unread = entries.filter(
      (entry) => entry.hash === null || !this.#tryReuse(entry.path, entry.hash),
    );
    for (const batch of batchBySize(unread)) await this.#parse(batch);
  }

  async #parse(entries: readonly SourceEntry[]): Promise<void> {
    const { pool, about } = this.#context;
    const lists = planParsing(entries, pool.size, about).map((list) => this.#readUnparsed(list));
    const unreadable = ({ path, cause }: UnparsedFile) =>
      this.#skip({ path, skipped: { path, reason: 'unreadable', detail: cause } });
    for await (const parsed of pool.parse(lists, unreadable)) {
      if (parsed.failure)
        this.#changes.notes.push(
          `${quoteText(parsed.path)} could not be parsed and is indexed as plain text: ${quoteText(parsed.failure)}.`,
        );
      this.#batch.push({ ...parsed, parser: this.#context.parserOf(parsed.path) });
      this.#batchBytes += parsed.texts.length;
      if (this.#batch.length >= this.#batchFiles || this.#batchBytes >= BATCH_BYTES) this.#flush();
      this.#context.onFile();
      throwIfCancelled(this.#context.signal, 'Indexing');
    }
    this.#flush();
  }

  get changes(): FileChanges {
    return this.#changes;
  }

  /** Yields the contents that must be parsed. Handles skipped and already stored files itself. */
  async *#readUnparsed(
    entries: readonly SourceEntry[],
  ): AsyncGenerator<{ path: string; hash: string; text: string }> {
    for await (const content of this.#context.tree.read(entries, this.#context.signal)) {
      throwIfCancelled(this.#context.signal, 'Indexing');
      if ('skipped' in content) this.#skip(content);
      else if (isLargeGenerated(content)) {
        const { path, size } = content;
        this.#skip({ path, skipped: reportLargeGenerated(path, size) });
      } else if (!this.#tryReuse(content.path, content.hash)) {
        yield { path: content.path, hash: content.hash, text: content.text };
      }
    }
  }

  #skip(content: Extract<SourceContent, { skipped: SkippedFile }>): void {
    this.remove([content.path]);
    this.#changes.skipped.push(content.skipped);
    this.#context.onFile();
  }

  /** Returns true if this content is already in the snapshot, or if its stored chunks could be added to it. */
  #tryReuse(path: string, hash: string): boolean {
    const { store, index, parserOf, onFile } = this.#context;
    const parser = parserOf(path);
    const current = index.getFile(path);
    if (current?.hash !== hash || current.parser !== parser) {
      const versionId = store.versions.find(path, hash, parser);
      if (versionId === undefined) return false;
      store.transaction(() => {
        this.#removeChunkData([path]);
        store.snapshots.changeFiles(index.snapshotId, [{ path, versionId }], []);
      });
      this.#putStored({ path, hash, parser, versionId });
      this.#changes.reused.push(path);
    }
    onFile();
    return true;
  }

  #flush(): void {
    const { store, index } = this.#context;
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    this.#batchFiles = this.#context.batchFiles ?? BATCH_FILES;
    if (batch.length === 0) return;
    const stored = store.transaction(() => {
      this.#removeChunkData(batch.map((file) => file.path));
      const put = batch.map((file) => ({ file, version: store.versions.add(file) }));
      const files = put.map(({ file: { path }, version }) => ({ path, versionId: version.id }));
      store.snapshots.changeFiles(index.snapshotId, files, []);
      return put;
    });
    for (const { file, version } of stored) {
      const { path, hash, parser } = file;
      const generated = Number(file.generated);
      const declares = readDeclaredPackage(path, () => store.versions.getContent(version.id));
      const identity = { path, versionId: version.id, hash, parser, generated, declares };
      index.putFile(identity, version.chunks, version.termCounts);
      this.#changes.parsed.push(path);
    }
  }

  /** Adds a stored version to the index in memory. */
  #putStored(file: { path: string; hash: string; parser: string; versionId: number }): void {
    const { versions } = this.#context.store;
    this.#context.index.putFile(
      {
        ...file,
        generated: versions.getInfo(file.versionId).generated,
        declares: readDeclaredPackage(file.path, () => versions.getContent(file.versionId)),
      },
      versions.getChunks(file.versionId),
      versions.getTermCounts(file.versionId),
    );
  }

  /** Removes the stored edges and embedding links of the chunks that these paths had before. */
  #removeChunkData(paths: readonly string[]): void {
    const { store, index } = this.#context;
    const ids = paths.flatMap((path) =>
      index.getSlotsByPath(path).map((slot) => index.getChunk(slot).id),
    );
    if (ids.length === 0) return;
    store.edges.replace(index.snapshotId, ids, []);
    store.embeddings.unlink(index.snapshotId, ids);
  }
}
