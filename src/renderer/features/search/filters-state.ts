import { create } from 'zustand';
import type { ChunkKind } from '../../../shared/chunk-kind.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { changeSettings, onRepositoryChange } from '../../platform/state.ts';
import type { Filters } from './filters.ts';

const NO_FILTERS = {
  text: '',
  paths: '',
  kinds: new Set<ChunkKind>(),
  repositories: new Set<string>(),
  packages: new Set<string>(),
};

export const useFilters = create<Filters>(() => ({
  ...NO_FILTERS,
  view: 'ranked',
  rerank: true,
  collapsed: new Set(),
  open: false,
}));

const toggle =
  (name: 'repositories' | 'packages' | 'collapsed') =>
  (item: string): void =>
    useFilters.setState((state) => ({ [name]: toggleItem(state[name], item) }));

export const toggleRepository = toggle('repositories');
export const togglePackage = toggle('packages');
export const toggleCollapsed = toggle('collapsed');
export const toggleKind = (kind: ChunkKind): void =>
  useFilters.setState(({ kinds }) => ({ kinds: toggleItem(kinds, kind) }));

/** Clears all filters, and resets the setting for tests to its default. */
export function clearFilters(): void {
  useFilters.setState(NO_FILTERS);
  changeSettings({ tests: 'demote' });
}

const toggleItem = <T>(before: ReadonlySet<T>, item: T): Set<T> =>
  before.symmetricDifference(new Set([item]));

/** Clears filters by repository and package when another repository is opened, since their names differ. */
export function followFilters(): Stop {
  return onRepositoryChange(() => {
    const { repositories, packages } = useFilters.getState();
    if (repositories.size + packages.size === 0) return;
    useFilters.setState({ repositories: new Set(), packages: new Set() });
  });
}
