import { type Command, registerCommands } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useApp } from '../../platform/state.ts';
import { responseNow } from '../search/index.ts';
import { baseOf, compareWith, followSearches, useCompare } from './compare.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'results.compare',
    title: 'Compare with previous search',
    also: 'diff changed difference edited issue',
    keys: '$mod+Alt+C',
    enabled: () => baseOf(useCompare.getState()) !== null,
    run: () => compareWith(null),
  },
  {
    id: 'results.compareVersion',
    title: 'Compare with a branch, tag or commit…',
    also: 'git diff version difference',
    enabled: () => {
      const { repository } = useApp.getState();
      return repository !== null && !repository.members && responseNow() !== null;
    },
    run: () => openOverlay('compare'),
  },
];

export const start = (): Stop => stopAll(registerCommands(COMMANDS), followSearches());
