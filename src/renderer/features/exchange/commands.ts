import { registerCommands } from '../../platform/commands.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useApp } from '../../platform/state.ts';
import { useSearch } from '../search/index.ts';

registerCommands([
  {
    id: 'results.export',
    title: 'Export the list …',
    group: 'Results',
    also: 'share save download markdown csv json sarif prompt',
    keys: '$mod+E',
    enabled: () => (useSearch.getState().response?.results.length ?? 0) > 0,
    run: () => openOverlay('export'),
  },
  {
    id: 'results.import',
    title: 'Open a list of a colleague …',
    group: 'Results',
    also: 'import load share json',
    keys: '$mod+Shift+E',
    enabled: () => useApp.getState().repository !== null,
    run: () => openOverlay('import'),
  },
]);
