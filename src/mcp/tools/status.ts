import { basename } from 'node:path';
import { z } from 'zod';
import { realFolder } from '../../base/folders.ts';
import { formatFailure, LocusError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';
import type { RepositoryStatus } from '../../shared/indexing.ts';
import { escapeHidden, quoteText } from '../../shared/quote.ts';
import { describeUnsupported } from '../../shared/unsupported.ts';
import { formatProgress } from '../progress.ts';
import { defineTool, repositoryArgument, type ToolCall } from '../tool.ts';

const input = z.object({ repository: repositoryArgument });

interface RootStatus {
  name: string;
  path: string;
  /**
   * `empty`: not indexed yet; the first `locate` starts indexing. `partial`: indexing has not finished. `complete`: all files were
   * indexed. `failed`: the status cannot be read, for the reason in `notes`.
   */
  state: RepositoryStatus['state'] | 'failed';
  /** Progress of indexing as text; null while this server is not indexing. */
  indexing: string | null;
  files: number;
  functions: number;
  /** Number of functions that have an embedding. */
  encoded: number;
  languages: string[];
  notes: string[];
}

export const repositoryStatus = defineTool({
  name: 'repository_status',
  title: 'Status of repositories',
  description: 'Repositories that can be used, and how far each is indexed.',
  input,
  async answer({ repository }, call) {
    const folders =
      repository === undefined && call.roots.folders.length > 0
        ? call.roots.folders
        : [call.roots.find(repository).folder];
    const repositories = await Promise.all(
      folders.map((folder) =>
        repository === undefined
          ? readRootStatus(call, folder)
          : readStatus(call, folder, repository),
      ),
    );
    return { value: { repositories }, text: repositories.map(formatStatus).join('\n') };
  },
});

/** Returns the status of a root. If it cannot be read, its state is `failed`, so that the other roots are still listed. */
async function readRootStatus(call: ToolCall, folder: string): Promise<RootStatus> {
  try {
    return await readStatus(call, folder, folder);
  } catch (error) {
    if (!(error instanceof LocusError)) throw error;
    return {
      ...describeFolder(folder),
      state: 'failed',
      indexing: null,
      files: 0,
      functions: 0,
      encoded: 0,
      languages: [],
      notes: [escapeHidden(formatFailure(error))],
    };
  }
}

/** @param repository argument that resolves to the folder */
async function readStatus(call: ToolCall, folder: string, repository: string): Promise<RootStatus> {
  const { progress, stored } = await call.use(repository, async (onDemand) => {
    // Throws if the folder is missing. Otherwise, the status of its stored index would hide that.
    realFolder(folder);
    const stored = await onDemand.withStoredIndex((opened) => opened.status());
    return { progress: onDemand.progress, stored };
  });
  const { state, files, chunks, embedded, languages, unread, notes } = stored;
  return {
    ...describeFolder(folder),
    state,
    indexing: progress && formatProgress(progress),
    files,
    functions: chunks,
    encoded: embedded,
    languages: languages.map(({ title }) => title),
    notes: [...notes, ...(unread.length > 0 ? [describeUnsupported(unread, files)] : [])].map(
      escapeHidden,
    ),
  };
}

function describeFolder(folder: string): Pick<RootStatus, 'name' | 'path'> {
  return { name: escapeHidden(basename(folder)), path: escapeHidden(folder) };
}

function formatStatus({
  name,
  path,
  state,
  indexing,
  files,
  functions,
  encoded,
  languages,
  notes,
}: RootStatus): string {
  return [
    `${quoteText(name)} (${quoteText(path)}): ${state}${indexing ? `, indexing: ${indexing}` : ''}; ${formatCount(functions)} functions in ${formatCount(files)} files, ${formatCount(encoded)} encoded`,
    ...(languages.length > 0 ? [`  ${languages.join(', ')}`] : []),
    ...notes.map((note) => `  note: ${note}`),
  ].join('\n');
}
