/** Combines the index states of a workspace's repositories. */
import { CHUNK_KINDS, type ChunkKind } from '../../shared/chunk-kind.ts';
import type { RepositoryStatus } from '../../shared/indexing.ts';
import type { PackageInfo } from '../../shared/packages.ts';
import { quoteText } from '../../shared/quote.ts';

/** Adds up statuses. @param statuses of the repositories that answered, at least one */
export function combineStatuses(
  statuses: readonly RepositoryStatus[],
  name: string,
  root: string,
): RepositoryStatus {
  const sum = (count: (status: RepositoryStatus) => number) =>
    statuses.reduce((total, status) => total + count(status), 0);
  const kinds = CHUNK_KINDS.map((kind) => [kind, sum(({ chunksByKind }) => chunksByKind[kind])]);
  const [first] = statuses;
  const states = new Set(statuses.map(({ state }) => state));
  const indexed = statuses.map(({ indexedAt }) => indexedAt ?? '').sort();
  return {
    root,
    name,
    revision: null,
    files: sum(({ files }) => files),
    chunks: sum(({ chunks }) => chunks),
    chunksByKind: Object.fromEntries(kinds) as Record<ChunkKind, number>,
    edges: sum(({ edges }) => edges),
    guessedEdges: sum(({ guessedEdges }) => guessedEdges),
    embedded: sum(({ embedded }) => embedded),
    filesWithErrors: sum(({ filesWithErrors }) => filesWithErrors),
    languages: addUp(
      statuses.flatMap(({ languages }) => languages),
      ({ name }) => name,
    ),
    unread: addUp(
      statuses.flatMap(({ unread }) => unread),
      ({ kind }) => kind,
    ),
    commits: sum(({ commits }) => commits),
    packages: mergePackages(statuses.map(({ packages }) => packages)),
    skipped: Object.fromEntries(
      addUp(
        statuses.flatMap(({ skipped }) =>
          Object.entries(skipped).map(([reason, files]) => ({ reason, files })),
        ),
        ({ reason }) => reason,
      ).map(({ reason, files }) => [reason, files]),
    ),
    model: first?.model ?? { id: '', version: '' },
    rerankModels: [...new Set(statuses.flatMap(({ rerankModels }) => rerankModels))],
    databasePath: first?.databasePath ?? '',
    databaseBytes: sum(({ databaseBytes }) => databaseBytes),
    state: states.size === 1 && first ? first.state : 'partial',
    indexedAt: indexed[0] || null,
    notes: statuses.flatMap((status) =>
      status.notes.map((note) => `${quoteText(status.name)}: ${note}`),
    ),
  };
}

/** Merges packages by name, across repositories: choosing the name chooses all of them. */
export function mergePackages(lists: readonly (readonly PackageInfo[])[]): PackageInfo[] {
  const among = new Map<string, PackageInfo>();
  for (const one of lists.flat()) {
    const before = among.get(one.name);
    among.set(one.name, before ? { ...before, chunks: before.chunks + one.chunks } : one);
  }
  return [...among.values()];
}

/** Adds up rows with the same key. Rows with the most files come first. */
function addUp<Row extends { files: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const before = sums.get(keyOf(row));
    sums.set(keyOf(row), { ...row, files: row.files + (before?.files ?? 0) });
  }
  return [...sums.values()].sort((a, b) => b.files - a.files);
}
