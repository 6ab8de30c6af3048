import { registerCommands } from '../../platform/commands.ts';
import { openOverlay } from '../../platform/overlays.ts';

registerCommands([
  {
    id: 'repository.all',
    title: 'Search all repositories …',
    group: 'Repository',
    also: 'fleet company organisation organization everywhere cross-repository global milvus code search',
    keys: '$mod+Alt+F',
    run: () => openOverlay('fleet'),
  },
]);
