import { registerCommands } from '../../app/commands.ts';
import { openOverlay } from '../../app/overlays.tsx';
import { useApp } from '../../app/state.ts';
import { useSearch } from '../results/search.ts';

registerCommands([
  {
    id: 'results.export',
    title: 'Export the list …',
    group: 'Results',
    keys: '$mod+E',
    enabled: () => (useSearch.getState().response?.results.length ?? 0) > 0,
    run: () => openOverlay('export'),
  },
  {
    id: 'results.import',
    title: 'Open a list of a colleague …',
    group: 'Results',
    keys: '$mod+Shift+E',
    enabled: () => useApp.getState().repository !== null,
    run: () => openOverlay('import'),
  },
]);
