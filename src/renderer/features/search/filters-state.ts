import { create } from 'zustand';
import type { ChunkKind } from '../../../shared/chunk.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { changeSettings, onRepositoryChange } from '../../platform/state.ts';
import type { Filters } from './filters.ts';

const NOTHING = {
  text: '',
  paths: '',
  kinds: new Set<ChunkKind>(),
  repositories: new Set<string>(),
  packages: new Set<string>(),
};

export const useFilters = create<Filters>(() => ({
  ...NOTHING,
  view: 'ranked',
  refine: true,
  collapsed: new Set(),
  open: false,
}));

const toggle =
  (name: 'repositories' | 'packages' | 'collapsed') =>
  (item: string): void =>
    useFilters.setState((state) => ({ [name]: toggled(state[name], item) }));

export const toggleRepository = toggle('repositories');
export const togglePackage = toggle('packages');
export const toggleCollapsed = toggle('collapsed');
export const toggleKind = (kind: ChunkKind): void =>
  useFilters.setState(({ kinds }) => ({ kinds: toggled(kinds, kind) }));

/** Shows everything again; how tests are ranked is a setting, and goes back to its default. */
export function clearFilters(): void {
  useFilters.setState(NOTHING);
  changeSettings({ tests: 'demote' });
}

const toggled = <T>(before: ReadonlySet<T>, item: T): Set<T> =>
  before.symmetricDifference(new Set([item]));

/** Forgets what is filtered by names of the repository before: others have other names. */
export function followFilters(): Stop {
  return onRepositoryChange(() => {
    const { repositories, packages } = useFilters.getState();
    if (repositories.size + packages.size === 0) return;
    useFilters.setState({ repositories: new Set(), packages: new Set() });
  });
}
