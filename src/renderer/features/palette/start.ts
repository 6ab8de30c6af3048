import { type Command, registerCommands } from '../../platform/commands.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useApp } from '../../platform/state.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'help.palette',
    title: 'Show all commands…',
    synonyms: 'menu actions',
    keys: '$mod+K',
    otherKeys: '$mod+Shift+P',
    run: () => openOverlay('palette'),
  },
  {
    id: 'code.goTo',
    title: 'Go to code…',
    synonyms: 'find open file function class symbol search jump',
    keys: '$mod+P',
    enabled: () => useApp.getState().repository !== null,
    run: () => openOverlay('goto'),
  },
  {
    id: 'help.shortcuts',
    title: 'Show keyboard shortcuts',
    synonyms: 'help keybindings hotkeys',
    keys: 'Shift+?',
    otherKeys: 'F1',
    run: () => openOverlay('shortcuts'),
  },
];

export const start = (): Stop => registerCommands(COMMANDS);
