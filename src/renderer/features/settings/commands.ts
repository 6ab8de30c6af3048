import { registerCommands } from '../../app/commands.ts';
import { openOverlay } from '../../app/overlays.tsx';

registerCommands([
  {
    id: 'view.settings',
    title: 'Settings …',
    group: 'View',
    keys: '$mod+,',
    run: () => openOverlay('settings'),
  },
]);
