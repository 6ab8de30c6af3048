/** Which folders and files of the tree are open: those that were opened, and those around the first result. */
import { create } from 'zustand';
import { onRepositoryChange } from '../../platform/state.ts';
import { around } from './folders.ts';

/** What was opened and closed, by key; what is not among them is open if the first result is in it. */
export const useFolds = create<{ folds: ReadonlyMap<string, boolean> }>(() => ({
  folds: new Map(),
}));

/** Opens or closes a folder or a file. */
export function fold(key: string, open: boolean): void {
  useFolds.setState(({ folds }) => ({ folds: new Map([...folds, [key, open]]) }));
}

/** Opens all that is around a result. */
export function openAround(path: string): void {
  useFolds.setState(({ folds }) => ({
    folds: new Map([...folds, ...around(path).map((key): [string, boolean] => [key, true])]),
  }));
}

onRepositoryChange(() => useFolds.setState({ folds: new Map() }));
