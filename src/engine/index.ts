/**
 * Public interface of the engine: indexes repositories and searches them. The rest of Locus imports nothing else of the engine; the
 * lab also uses `lab.ts`. Functions that need much of the engine load it when they are called, so that importing this module is
 * quick.
 */

import { existsSync } from 'node:fs';
import { realFolder } from '../base/folders.ts';
import type { LanguageInfo } from '../shared/chunk.ts';
import type { CodeTokens } from '../shared/code-tokens.ts';
import type { FleetRow, FleetRowContent } from '../shared/fleet-row.ts';
import type { Revisions } from '../shared/history.ts';
import type { Repository } from '../shared/repository.ts';
import type { SearchRequest } from '../shared/search.ts';
import type { LanguageCheck } from './check-language.ts';
import type { ModelManifest } from './encode/manifest.ts';
import type { InspectedFile } from './encode/published.ts';
import type { TermSample } from './fleet-rows/frequencies.ts';
import type { RankedRows, RowQuery, RowQueryOptions } from './fleet-rows/search.ts';
import type { FixCandidate } from './history/fix-candidates.ts';
import type { FixEdits } from './history/fix-edits.ts';
import type { JudgedHistory, JudgeHistoryOptions } from './history/judge-history.ts';
import type { LanguageDescription } from './languages/index.ts';
import type { TermOccurrence } from './lexical/tokenize.ts';
import type { ExportOptions, SnapshotExport } from './portable/export-snapshot.ts';
import type {
  ImportOptions,
  PublishedSnapshot,
  SnapshotImport,
} from './portable/import-snapshot.ts';
import type { EngineRepositoryOptions } from './repository.ts';
import type { RevisionOptions } from './source/revisions.ts';

export type { ListedModel, ModelManifest, ModelRole } from './encode/manifest.ts';
export type { TermSample } from './fleet-rows/frequencies.ts';
export type { RankedRow, RowQuery } from './fleet-rows/search.ts';
export type { FixCandidate, Rejection } from './history/fix-candidates.ts';
export type { FixEdits } from './history/fix-edits.ts';
export type { FixedIssue, JudgedHistory } from './history/judge-history.ts';
export type { TermOccurrence } from './lexical/tokenize.ts';
export type { IndexRunOptions } from './pipeline/indexer.ts';
export type { ExportedPart, SnapshotExport } from './portable/export-snapshot.ts';
export type { SnapshotImport } from './portable/import-snapshot.ts';
export type {
  EngineRepositoryOptions,
  PrepareIndex,
  UnopenedIndex,
  UnpreparedIndex,
} from './repository.ts';
export type { RerankerFolders } from './search/rerank/models.ts';
export type { EmbeddingModel } from './store/row-format.ts';

// ---- Repositories ----

/**
 * Opens a repository, any folder, or one commit. If it was indexed before, it can be searched immediately.
 * @throws LocusError `bad-repository`, `bad-store`, `bad-model` or `device`.
 */
export async function openRepositoryAt(
  root: string,
  options: EngineRepositoryOptions,
): Promise<Repository> {
  const { acquireSharedEncoder } = await import('./encode/shared-encoder.ts');
  // The model loads in another thread, while this one loads the rest of the engine, the tree and the index.
  const { modelFolder, device = 'auto' } = options;
  const encoder = acquireSharedEncoder({ modelFolder, device });
  encoder.catch(() => {}); // The first query that awaits the encoder reports the error.
  await using _parser = await startParser(root, options);
  return await (await import('./repository.ts')).openRepositoryAt(root, options, encoder);
}

/** Starts the first parser thread if the working tree was never indexed. Disposing of the result leaves it to the opened repository. */
async function startParser(
  root: string,
  { revision, readOnly, indexFolder }: EngineRepositoryOptions,
): Promise<AsyncDisposable | null> {
  try {
    if (readOnly || revision !== undefined || existsSync(indexFolder(realFolder(root))))
      return null;
  } catch {
    return null; // Opening it reports the error.
  }
  const use = (await import('./parse/shared-pool.ts')).acquirePool();
  use.pool.startThread();
  return use;
}

/**
 * Lists branches, tags and commits that can be opened; null without a repository or git.
 * @throws LocusError `bad-repository`, `cancelled`.
 */
export async function listRevisions(
  root: string,
  options?: RevisionOptions,
): Promise<Revisions | null> {
  return (await import('./source/revisions.ts')).listRevisions(root, options);
}

/** Returns the branch that is checked out; null for a detached HEAD, and without a repository. */
export async function getCurrentBranch(
  root: string,
  options?: Omit<RevisionOptions, 'name'>,
): Promise<string | null> {
  return (await import('./source/revisions.ts')).getCurrentBranch(root, options);
}

/** Returns the ids of up to `limit` commits, newest first: `revision` and its ancestors. */
export async function listAncestors(
  root: string,
  revision: string,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const { listAncestors } = await import('./history/read-history.ts');
  return listAncestors(root, revision, limit, signal);
}

/** Finds the commits of a revision's history that can stand for a fix. See `judge-history.ts`. */
export async function judgeHistory(
  root: string,
  revision: string,
  options: JudgeHistoryOptions,
): Promise<JudgedHistory> {
  return (await import('./history/judge-history.ts')).judgeHistory(root, revision, options);
}

/** Reads what a fix edits. See `fix-edits.ts`. */
export async function readFixEdits(
  root: string,
  candidate: FixCandidate,
  signal?: AbortSignal,
): Promise<FixEdits | null> {
  return (await import('./history/fix-edits.ts')).readFixEdits(root, candidate, signal);
}

/**
 * Deletes an index, if it exists.
 * @throws LocusError `busy` if another process is writing it, or if the system doesn't allow it to be removed.
 */
export async function deleteIndex(folder: string): Promise<void> {
  return (await import('./store/writer-lock.ts')).deleteIndex(folder);
}

/**
 * Copies the index in one folder to another folder that has none, for a working tree of the same repository. The source may be in use.
 * @returns false if nothing was copied
 * @throws LocusError `cancelled`
 */
export async function copyIndex(from: string, to: string, signal?: AbortSignal): Promise<boolean> {
  return (await import('./store/copy-index.ts')).copyIndex(from, to, signal);
}

/** Loads the checks of the engine's parts, for `locus doctor`. */
export const loadChecks = () => import('./checks.ts');

// ---- Models ----

/** Reads and checks models, and names their embeddings. */
export {
  checkModelFiles,
  describeUnverified,
  getModelKey,
  listModelFiles,
  listModels,
  loadManifest,
} from './encode/manifest.ts';

/** Checks an ONNX file of another publisher, see `inspectOnnx`. */
export async function inspectOnnx(folder: string, name: string): Promise<InspectedFile> {
  return (await import('./encode/published.ts')).inspectOnnx(folder, name);
}

/** Runs a model once, see `tryModel`. */
export async function tryModel(folder: string): Promise<ModelManifest> {
  return (await import('./encode/published.ts')).tryModel(folder);
}

/** Name of the file that makes a folder a model. */
export { MANIFEST_FILE } from './encode/model-files.ts';

/** Ids of the models that rerank, by signal. */
export { RERANKER_MODELS } from './search/rerank/models.ts';

// ---- Languages and texts ----

/** Returns the languages that Locus reads. */
export async function listLanguages(): Promise<LanguageInfo[]> {
  return (await import('./languages/index.ts')).listLanguages();
}

/** Makes this process read the languages in a folder, too, which a user added; null for none. Must be called before any look-up. */
export async function loadLanguagesIn(folder: string | null): Promise<void> {
  (await import('./languages/index.ts')).loadLanguagesIn(folder);
}

/** Returns sentences about the user's languages that are not used. */
export async function listLanguageProblems(): Promise<readonly string[]> {
  return (await import('./languages/index.ts')).listLanguageProblems();
}

/** Returns what files the languages are for, and the folder of those that a user added. */
export async function describeLanguages(): Promise<LanguageDescription[]> {
  return (await import('./languages/index.ts')).describeLanguages();
}

/** Checks a language that a user adds. See `check-language.ts`. */
export async function checkLanguage(folder: string): Promise<LanguageCheck> {
  return (await import('./check-language.ts')).checkLanguage(folder);
}

/** Returns the kinds of the names in a text, for syntax highlighting. Empty if the language of the path is unsupported. */
export async function tokenizeCode(path: string, text: string): Promise<CodeTokens> {
  return (await import('./parse/shared-pool.ts')).tokenizeCode(path, text);
}

/**
 * Finds words in texts, as the lexical index splits both.
 * @param path of the file that the texts are from; null for prose
 * @returns for each text the occurrences, by start
 */
export async function findTerms(
  texts: readonly string[],
  words: readonly string[],
  path: string | null,
): Promise<TermOccurrence[][]> {
  return (await import('./lexical/tokenize.ts')).findTerms(texts, words, path);
}

/** Returns the title of an issue: its first line with words. */
export { getIssueTitle } from './issue/title.ts';

// ---- Shared indexes ----

/** Returns the version of exported snapshots. Only snapshots of the same version can be imported. */
export async function getIndexFormat(): Promise<string> {
  return (await import('./portable/version.ts')).INDEX_FORMAT;
}

/**
 * Calls `use` with the complete snapshot of a commit, as parts that another machine can import.
 * @throws LocusError `bad-repository` if the index is incomplete; `busy`, `cancelled`.
 */
export async function exportSnapshot<T>(
  options: ExportOptions,
  use: (snapshot: SnapshotExport) => Promise<T>,
): Promise<T> {
  return (await import('./portable/export-snapshot.ts')).exportSnapshot(options, use);
}

/**
 * Calls `fill` with a snapshot that imports exported parts. The next indexing run updates it.
 * @throws LocusError `bad-objects`, `busy`, `cancelled`. Parts stored before are valid, and the next run uses them.
 */
export async function importSnapshot(
  options: ImportOptions,
  published: PublishedSnapshot,
  fill: (target: SnapshotImport) => Promise<void>,
): Promise<void> {
  const { importSnapshot } = await import('./portable/import-snapshot.ts');
  return importSnapshot(options, published, fill);
}

/** Returns the size of one embedding in an exported part, in bytes. */
export { getEmbeddingBytes } from './portable/embedding-part.ts';

// ---- Rows of a fleet ----

/** Yields the content of a row for each chunk of a commit's complete index. */
export async function readRowContents(
  directory: string,
  revision: string,
  model: Pick<ModelManifest, 'id' | 'version' | 'dimensions'>,
): Promise<Iterable<FleetRowContent>> {
  const { readRowContents } = await import('./fleet-rows/index-rows.ts');
  return readRowContents(directory, revision, model);
}

/** Counts the terms in a random sample of rows. */
export async function sampleTerms(terms: readonly string[], of: number): Promise<TermSample> {
  return (await import('./fleet-rows/frequencies.ts')).sampleTerms(terms, of);
}

/**
 * Reads and embeds an issue, for a query to a vector engine.
 * @throws LocusError `bad-model` or `device`.
 */
export async function readRowQuery(
  request: SearchRequest,
  sample: TermSample,
  options: RowQueryOptions,
): Promise<RowQuery> {
  return (await import('./fleet-rows/search.ts')).readRowQuery(request, sample, options);
}

/**
 * Ranks the rows that a vector engine found.
 * @param nameOf returns the name of a repository by its key
 */
export async function rankRows(
  query: RowQuery,
  rows: readonly FleetRow[],
  nameOf: (repository: string) => string,
): Promise<RankedRows> {
  return (await import('./fleet-rows/search.ts')).rankRows(query, rows, nameOf);
}
