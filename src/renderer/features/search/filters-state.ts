/** The filters that are on. */
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

export function toggleKind(kind: ChunkKind): void {
  useFilters.setState(({ kinds }) => ({ kinds: toggled(kinds, kind) }));
}

export function toggleRepository(name: string): void {
  useFilters.setState(({ repositories }) => ({ repositories: toggled(repositories, name) }));
}

export function togglePackage(name: string): void {
  useFilters.setState(({ packages }) => ({ packages: toggled(packages, name) }));
}

export function toggleCollapsed(path: string): void {
  useFilters.setState(({ collapsed }) => ({ collapsed: toggled(collapsed, path) }));
}

/** Shows everything again; how tests are ranked is a setting, and goes back to its default. */
export function clearFilters(): void {
  useFilters.setState(NOTHING);
  changeSettings({ tests: 'demote' });
}

function toggled<T>(before: ReadonlySet<T>, item: T): Set<T> {
  const after = new Set(before);
  if (!after.delete(item)) after.add(item);
  return after;
}

/** Forgets what is filtered by names of the repository before: others have other names. */
export function followFilters(): Stop {
  return onRepositoryChange(() => {
    const { repositories, packages } = useFilters.getState();
    if (repositories.size + packages.size === 0) return;
    useFilters.setState({ repositories: new Set(), packages: new Set() });
  });
}
