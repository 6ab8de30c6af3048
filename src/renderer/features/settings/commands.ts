import { registerCommands } from '../../platform/commands.ts';
import { openOverlay } from '../../platform/overlays.ts';

registerCommands([
  {
    id: 'view.settings',
    title: 'Settings …',
    group: 'View',
    keys: '$mod+,',
    run: () => openOverlay('settings'),
  },
]);
