/** What the list shows of the ranking. Paths and kinds go to the engine, which ranks only those; text is matched here. */
import { create } from 'zustand';
import type { Settings } from '../../../shared/rpc-protocol.ts';
import type { ChunkKind, SearchRequest } from '../../../shared/types.ts';
import { changeSettings } from '../../app/state.ts';

export const KINDS: readonly ChunkKind[] = ['function', 'method', 'class', 'module'];

export const TESTS_TITLES: Record<Settings['tests'], string> = {
  demote: 'Ranked lower',
  exclude: 'Left out',
  include: 'Like all other code',
};

interface Filters {
  /** Words that must all occur in name, kind or path. */
  text: string;
  /** Globs as in a .gitignore, divided by commas or spaces. */
  paths: string;
  /** Empty for all. */
  kinds: ReadonlySet<ChunkKind>;
  view: 'ranked' | 'marked';
  /** Whether marks change the ranking. */
  refine: boolean;
  /** Files of which only the best chunk is shown, when the list is grouped. */
  collapsed: ReadonlySet<string>;
  /** Whether the form for all this is open. */
  open: boolean;
}

const NOTHING = { text: '', paths: '', kinds: new Set<ChunkKind>() };

export const useFilters = create<Filters>(() => ({
  ...NOTHING,
  view: 'ranked',
  refine: true,
  collapsed: new Set(),
  open: false,
}));

export const globsOf = (paths: string): string[] => paths.split(/[\s,]+/).filter(Boolean);

/** The part of a search request that comes from the filters. */
export function filterRequest(): Pick<SearchRequest, 'paths' | 'kinds'> {
  const { paths, kinds } = useFilters.getState();
  const globs = globsOf(paths).slice(0, 100);
  return {
    ...(globs.length > 0 && { paths: globs }),
    ...(kinds.size > 0 && { kinds: [...kinds] }),
  };
}

export function toggleKind(kind: ChunkKind): void {
  useFilters.setState(({ kinds }) => ({ kinds: toggled(kinds, kind) }));
}

export function toggleCollapsed(path: string): void {
  useFilters.setState(({ collapsed }) => ({ collapsed: toggled(collapsed, path) }));
}

/** Shows everything again; how tests are ranked is a setting, and goes back to its default. */
export function clearFilters(): void {
  useFilters.setState(NOTHING);
  changeSettings({ tests: 'demote' });
}

export const isFiltered = ({ text, paths, kinds }: Filters, tests?: Settings['tests']): boolean =>
  text.trim() !== '' || globsOf(paths).length > 0 || kinds.size > 0 || tests === 'exclude';

function toggled<T>(before: ReadonlySet<T>, item: T): Set<T> {
  const after = new Set(before);
  if (!after.delete(item)) after.add(item);
  return after;
}
