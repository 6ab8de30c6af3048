import { registerCommands } from '../../platform/commands.ts';
import { showPanelAndFocus } from '../../platform/panes.ts';
import { useSearch } from '../search/index.ts';

registerCommands([
  {
    id: 'modelInput.show',
    title: 'Show what the model was given',
    group: 'Code',
    keys: '$mod+Alt+R',
    enabled: () => useSearch.getState().selected !== null,
    run: () => showPanelAndFocus('model-input'),
  },
]);
