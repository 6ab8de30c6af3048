/** Filters and marks as parts of a search request. Paths and kinds go to the engine, which ranks only those; text is matched here. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { ChunkKind } from '../../../shared/chunk.ts';
import { MOST_GLOBS, MOST_MARKED, MOST_PACKAGES } from '../../../shared/limits.ts';
import { MARKS, type Mark, type MarkedChunk } from '../../../shared/marks.ts';
import type { Feedback, SearchRequest } from '../../../shared/search.ts';
import type { Settings } from '../../../shared/settings.ts';

export const TESTS_TITLES: Record<Settings['tests'], string> = {
  demote: 'Ranked lower',
  exclude: 'Left out',
  include: 'Like all other code',
};

export interface Filters {
  /** Words that must all occur in name, kind or path. */
  text: string;
  /** Globs as in a .gitignore, divided by commas or spaces. */
  paths: string;
  /** Empty for all. */
  kinds: ReadonlySet<ChunkKind>;
  /** Names of repositories, where several are open; empty for all. */
  repositories: ReadonlySet<string>;
  /** Names of packages, in a repository of several; empty for all. */
  packages: ReadonlySet<string>;
  view: 'ranked' | 'marked';
  /** True if marks change the ranking. */
  refine: boolean;
  /** Files of which only the best result is shown, when the list is grouped. */
  collapsed: ReadonlySet<string>;
  /** True while the form for all this is open. */
  open: boolean;
}

export const globsOf = (paths: string): string[] => paths.split(/[\s,]+/).filter(Boolean);

type RankedBy = 'paths' | 'kinds' | 'repositories' | 'packages';

/** The part of a search request that comes from the filters. */
export function filterRequest({
  paths,
  kinds,
  repositories,
  packages,
}: Pick<Filters, RankedBy>): Pick<SearchRequest, RankedBy> {
  const globs = globsOf(paths).slice(0, MOST_GLOBS);
  return {
    ...(globs.length > 0 && { paths: globs }),
    ...(kinds.size > 0 && { kinds: [...kinds] }),
    ...(repositories.size > 0 && { repositories: [...repositories].sort() }),
    ...(packages.size > 0 && { packages: [...packages].sort().slice(0, MOST_PACKAGES) }),
  };
}

export const isFiltered = (
  { text, paths, kinds, repositories, packages }: Pick<Filters, RankedBy | 'text'>,
  tests?: Settings['tests'],
): boolean =>
  text.trim() !== '' ||
  globsOf(paths).length > 0 ||
  kinds.size + repositories.size + packages.size > 0 ||
  tests === 'exclude';

/** By the current address of a chunk; for one that is gone, by its last one. */
export type Marks = ReadonlyMap<ChunkAddress, MarkedChunk>;

/** Returns the part of a search request that comes from the marks; undefined if nothing is marked. */
export function toFeedback(marks: Marks): Feedback | undefined {
  const given = MARKS.map(
    (mark) => [mark, addressesMarked(marks, mark).slice(0, MOST_MARKED)] as const,
  ).filter(([, addresses]) => addresses.length > 0);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** Returns where the chunks with this mark are now. Chunks that are gone have nothing to say. */
function addressesMarked(marks: Marks, wanted: Mark): string[] {
  return [...marks.values()].flatMap(({ mark, now }) =>
    mark === wanted && now ? now.address : [],
  );
}
