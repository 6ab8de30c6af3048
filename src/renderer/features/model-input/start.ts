import { type Command, registerCommands } from '../../platform/commands.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { showPanelAndFocus } from '../../platform/panes.ts';
import { selectedNow } from '../search/index.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'modelInput.show',
    title: 'Show model input',
    also: 'encoder embedding tokens',
    keys: '$mod+Alt+R',
    enabled: () => selectedNow() !== null,
    run: () => showPanelAndFocus('model-input'),
  },
];

export const start = (): Stop => registerCommands(COMMANDS);
