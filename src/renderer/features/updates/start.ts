import { registerCommands } from '../../platform/commands.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';

export const start = (): Stop =>
  registerCommands([
    {
      id: 'help.updates',
      title: 'Check for updates…',
      synonyms: 'upgrade newest latest version release',
      run: () => openOverlay('updates'),
    },
  ]);
