import { type Command, registerCommands } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { showPanelAndFocus, usePanes } from '../../platform/panes.ts';
import { selectedNow } from '../search/index.ts';
import { centerBack, centerOn, followSelection, setDepth, useNeighbors } from './neighbors.ts';

const hasSelection = () => selectedNow() !== null;
function show(view: ReturnType<typeof useNeighbors.getState>['view']): void {
  useNeighbors.setState({ view });
  showPanelAndFocus('neighbors');
}
const isShown = () => usePanes.getState().panel === 'neighbors';

const COMMANDS: readonly Command[] = [
  {
    id: 'neighbors.show',
    title: 'Show neighbours: callers and callees',
    also: 'call graph references usages hierarchy',
    keys: '$mod+Alt+B',
    enabled: hasSelection,
    run: () => showPanelAndFocus('neighbors'),
  },
  {
    id: 'neighbors.similar',
    title: 'More like this: the functions most like the selected one',
    also: 'related duplicates',
    keys: '$mod+Alt+M',
    enabled: hasSelection,
    run: () => show('similar'),
  },
  {
    id: 'neighbors.tests',
    title: 'Show tests that reach the selected function',
    also: 'coverage reaching',
    keys: '$mod+Alt+U',
    enabled: hasSelection,
    run: () => show('tests'),
  },
  {
    id: 'neighbors.toggleView',
    title: 'Neighbours as a graph or as a list',
    keys: 'l',
    within: 'side',
    enabled: isShown,
    run: () => {
      const { view } = useNeighbors.getState();
      show(view === 'graph' ? 'list' : 'graph');
    },
  },
  {
    id: 'neighbors.center',
    title: 'Neighbours of the selected function in the middle',
    enabled: () => isShown() && hasSelection(),
    run: () => {
      const selected = selectedNow();
      if (selected) centerOn(selected);
    },
  },
  {
    id: 'neighbors.back',
    title: 'Neighbours: back to the function before',
    enabled: () => isShown() && useNeighbors.getState().earlier.length > 0,
    run: centerBack,
  },
  {
    id: 'neighbors.farther',
    title: 'Neighbours: one step farther',
    keys: ']',
    within: 'side',
    enabled: () => isShown() && useNeighbors.getState().depth < 3,
    run: () => setDepth(useNeighbors.getState().depth + 1),
  },
  {
    id: 'neighbors.nearer',
    title: 'Neighbours: one step less',
    keys: '[',
    within: 'side',
    enabled: () => isShown() && useNeighbors.getState().depth > 1,
    run: () => setDepth(useNeighbors.getState().depth - 1),
  },
];

export const start = (): Stop => stopAll(registerCommands(COMMANDS), followSelection());
