/** Converts filters and marks to parts of a search request. The engine applies all filters except the text, which is matched here. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { ChunkKind } from '../../../shared/chunk-kind.ts';
import { MAX_GLOBS, MAX_MARKED, MAX_PACKAGES } from '../../../shared/limits.ts';
import { MARKS, type Mark, type MarkedChunk } from '../../../shared/marks.ts';
import type { Feedback, SearchRequest } from '../../../shared/search.ts';
import type { Settings } from '../../../shared/settings.ts';

export const TESTS_TITLES: Record<Settings['tests'], string> = {
  demote: 'Ranked lower',
  exclude: 'Excluded',
  include: 'Like other code',
};

export interface Filters {
  /** Words that must all occur in the name, kind or path. */
  text: string;
  /** Globs in the syntax of .gitignore, separated by commas or spaces. */
  paths: string;
  /** Kinds to show; empty for all. */
  kinds: ReadonlySet<ChunkKind>;
  /** Names of a workspace's repositories to show; empty for all. */
  repositories: ReadonlySet<string>;
  /** Names of packages to show; empty for all. */
  packages: ReadonlySet<string>;
  view: 'ranked' | 'marked';
  /** True if marks adjust the ranking. */
  rerank: boolean;
  /** Files that show only their best result if the list is grouped. */
  collapsed: ReadonlySet<string>;
  /** True while the filter form is open. */
  open: boolean;
}

export const parseGlobs = (paths: string): string[] => paths.split(/[\s,]+/).filter(Boolean);

type EngineFilter = 'paths' | 'kinds' | 'repositories' | 'packages';

/** The part of a search request that comes from the filters. */
export function toFilterRequest({
  paths,
  kinds,
  repositories,
  packages,
}: Pick<Filters, EngineFilter>): Pick<SearchRequest, EngineFilter> {
  const globs = parseGlobs(paths).slice(0, MAX_GLOBS);
  return {
    ...(globs.length > 0 && { paths: globs }),
    ...(kinds.size > 0 && { kinds: [...kinds] }),
    ...(repositories.size > 0 && { repositories: [...repositories].sort() }),
    ...(packages.size > 0 && { packages: [...packages].sort().slice(0, MAX_PACKAGES) }),
  };
}

export const isFiltered = (
  { text, paths, kinds, repositories, packages }: Pick<Filters, EngineFilter | 'text'>,
  tests?: Settings['tests'],
): boolean =>
  text.trim() !== '' ||
  parseGlobs(paths).length > 0 ||
  kinds.size + repositories.size + packages.size > 0 ||
  tests === 'exclude';

/** Marks by the chunk's current address, or by its last one if the chunk is gone. */
export type MarksByAddress = ReadonlyMap<ChunkAddress, MarkedChunk>;

/** Returns the part of a search request that comes from the marks; undefined if nothing is marked. */
export function toFeedback(marks: MarksByAddress): Feedback | undefined {
  const feedback = MARKS.map(
    (mark) => [mark, listMarked(marks, mark).slice(0, MAX_MARKED)] as const,
  ).filter(([, addresses]) => addresses.length > 0);
  return feedback.length > 0 ? Object.fromEntries(feedback) : undefined;
}

/** Returns the current addresses of the chunks with this mark, without chunks that are gone. */
function listMarked(marks: MarksByAddress, wanted: Mark): string[] {
  return [...marks.values()].flatMap(({ mark, now }) =>
    mark === wanted && now ? now.address : [],
  );
}
