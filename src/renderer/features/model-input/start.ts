import { type Command, registerCommands } from '../../platform/commands.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { showPanelAndFocus } from '../../platform/panes.ts';
import { getCurrentSelected } from '../search/index.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'modelInput.show',
    title: 'Show model input',
    synonyms: 'encoder embedding tokens',
    keys: '$mod+Alt+R',
    enabled: () => getCurrentSelected() !== null,
    run: () => showPanelAndFocus('model-input'),
  },
];

export const start = (): Stop => registerCommands(COMMANDS);
