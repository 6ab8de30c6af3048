import { registerCommands } from '../../platform/commands.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useApp } from '../../platform/state.ts';
import { useSearch } from '../search/index.ts';
import { baseOf, compareWith, useCompare } from './compare.ts';

registerCommands([
  {
    id: 'results.compare',
    title: 'Compare with the search before',
    group: 'Results',
    also: 'diff changed difference edited issue',
    keys: '$mod+Alt+C',
    enabled: () => baseOf(useCompare.getState()) !== null,
    run: () => compareWith(null),
  },
  {
    id: 'results.compareVersion',
    title: 'Compare with a branch, tag or commit …',
    group: 'Results',
    also: 'git diff version difference',
    enabled: () => {
      const { repository } = useApp.getState();
      return repository !== null && !repository.members && useSearch.getState().response !== null;
    },
    run: () => openOverlay('compare'),
  },
]);
