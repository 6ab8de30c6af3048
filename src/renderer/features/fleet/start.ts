import { type Command, registerCommands } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { resetOnFleetChange } from './fleet.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'repository.all',
    title: 'Search all repositories…',
    synonyms:
      'fleet company organisation organization everywhere cross-repository global milvus code search',
    keys: '$mod+Alt+F',
    run: () => openOverlay('fleet'),
  },
];

export const start = (): Stop => stopAll(registerCommands(COMMANDS), resetOnFleetChange());
