/** Ranks all files that a fix edits, in the list that users get by default. */
import { DEFINITION_KINDS } from '../../shared/chunk-kind.ts';
import { LocusError } from '../../shared/errors.ts';
import { MAX_RESULTS } from '../../shared/limits.ts';
import type { QueryResponse } from '../../shared/queries.ts';
import type { Repository } from '../../shared/repository.ts';
import type { SearchRequest } from '../../shared/search.ts';
import type { EvaluationInstance } from './dataset.ts';
import { type EditedFiles, findEditedFiles, getLeftOutKind } from './edited-files.ts';

/** Ways in which Locus reads a file: with functions, methods or classes; with other chunks only; or not at all. */
export const FILE_READINGS = ['functions', 'other chunks', 'not read'] as const;
type FileReading = (typeof FILE_READINGS)[number];

/** Edited file with its rank among the distinct files of the list, from 1; null if it is not in the list. */
export interface RankedFile {
  path: string;
  reading: FileReading;
  rank: number | null;
}

export interface FileOutcome extends Pick<EditedFiles, 'leftOut' | 'added'> {
  instance: string;
  repo: string;
  files: RankedFile[];
}

/** Finds the ranks of all files that a fix edits. Returns null if none of them counts. */
export async function findFileOutcome(
  { instance_id, repo, problem_statement, patch }: EvaluationInstance,
  repository: Repository,
  { signal, rerank }: { signal?: AbortSignal; rerank?: SearchRequest['rerank'] },
): Promise<FileOutcome | null> {
  const { paths, ...counts } = findEditedFiles(patch);
  if (paths.length === 0) return null;
  const request = { issue: problem_statement, limit: MAX_RESULTS, ...(rerank && { rerank }) };
  const { results } = await repository.search(request, { signal });
  const ranks = rankFiles(results);
  const files: RankedFile[] = [];
  for (const path of paths) {
    const reading = classifyReading(await readFileOrNull(repository, path));
    files.push({ path, reading, rank: ranks.get(path) ?? null });
  }
  return { instance: instance_id, repo, files, ...counts };
}

/** Ranks the distinct files of a list by their first chunks. Files that the truth leaves out have no rank and take none. */
export function rankFiles(results: readonly { path: string }[]): Map<string, number> {
  const distinct = new Set(results.map(({ path }) => path));
  const counted = [...distinct].filter((path) => getLeftOutKind(path) === null);
  return new Map(counted.map((path, i) => [path, i + 1]));
}

function classifyReading(file: QueryResponse<'file'> | null): FileReading {
  if (!file || file.chunks.length === 0) return 'not read';
  return file.chunks.some(({ kind }) => DEFINITION_KINDS.includes(kind))
    ? 'functions'
    : 'other chunks';
}

/** Reads a file and its chunks; null if the file is not indexed. */
export async function readFileOrNull(
  repository: Repository,
  path: string,
): Promise<QueryResponse<'file'> | null> {
  return repository.file({ path }).catch((error: unknown) => {
    if (error instanceof LocusError && error.code === 'not-found') return null;
    throw error;
  });
}
