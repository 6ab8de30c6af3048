import { type Command, registerCommands } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useApp } from '../../platform/state.ts';
import { getCurrentResponse } from '../search/index.ts';
import { compareWithSearch, getBaseSearch, recordSearches, useCompare } from './compare.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'results.compare',
    title: 'Compare with previous search',
    synonyms: 'diff changed difference edited issue',
    keys: '$mod+Alt+C',
    enabled: () => getBaseSearch(useCompare.getState()) !== null,
    run: () => compareWithSearch(null),
  },
  {
    id: 'results.compareVersion',
    title: 'Compare with a branch, tag or commit…',
    synonyms: 'git diff version difference',
    enabled: () => {
      const { repository } = useApp.getState();
      return repository !== null && !repository.members && getCurrentResponse() !== null;
    },
    run: () => openOverlay('compare'),
  },
];

export const start = (): Stop => stopAll(registerCommands(COMMANDS), recordSearches());
