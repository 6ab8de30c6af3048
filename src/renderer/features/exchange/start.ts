import { type Command, registerCommands } from '../../platform/commands.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useApp } from '../../platform/state.ts';
import { applyOrder, hasResults } from '../search/index.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'results.export',
    title: 'Export list…',
    synonyms: 'share save download markdown csv json sarif prompt',
    keys: '$mod+E',
    enabled: hasResults,
    run: () => {
      // The export has the final order, so the window shows it too.
      applyOrder();
      openOverlay('export');
    },
  },
  {
    id: 'results.import',
    title: 'Import list…',
    synonyms: 'import load share json',
    keys: '$mod+Shift+E',
    enabled: () => useApp.getState().repository !== null,
    run: () => openOverlay('import'),
  },
];

export const start = (): Stop => registerCommands(COMMANDS);
