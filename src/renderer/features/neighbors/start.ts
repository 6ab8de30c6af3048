import { type Command, registerCommands } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { showPanelAndFocus, usePanes } from '../../platform/panes.ts';
import { getCurrentSelected } from '../search/index.ts';
import { centerOn, centerPrevious, followSelection, setDepth, useNeighbors } from './neighbors.ts';

const hasSelection = () => getCurrentSelected() !== null;

function showView(view: ReturnType<typeof useNeighbors.getState>['view']): void {
  useNeighbors.setState({ view });
  showPanelAndFocus('neighbors');
}

const isShown = () => usePanes.getState().panel === 'neighbors';

const COMMANDS: readonly Command[] = [
  {
    id: 'neighbors.show',
    title: 'Show callers and callees',
    synonyms: 'neighbors call graph references usages hierarchy',
    keys: '$mod+Alt+B',
    enabled: hasSelection,
    run: () => showPanelAndFocus('neighbors'),
  },
  {
    id: 'neighbors.similar',
    title: 'Show similar functions',
    synonyms: 'more like this related duplicates',
    keys: '$mod+Alt+M',
    enabled: hasSelection,
    run: () => showView('similar'),
  },
  {
    id: 'neighbors.tests',
    title: 'Show tests that reach it',
    synonyms: 'coverage reaching',
    keys: '$mod+Alt+U',
    enabled: hasSelection,
    run: () => showView('tests'),
  },
  {
    id: 'neighbors.toggleView',
    title: 'Toggle graph and list',
    keys: 'l',
    within: 'side',
    enabled: isShown,
    run: () => {
      const { view } = useNeighbors.getState();
      showView(view === 'graph' ? 'list' : 'graph');
    },
  },
  {
    id: 'neighbors.center',
    title: 'Center selected function',
    enabled: () => isShown() && hasSelection(),
    run: () => {
      const selected = getCurrentSelected();
      if (selected) centerOn(selected);
    },
  },
  {
    id: 'neighbors.back',
    title: 'Back to previous function',
    enabled: () => isShown() && useNeighbors.getState().previous.length > 0,
    run: centerPrevious,
  },
  {
    id: 'neighbors.farther',
    title: 'Show more steps',
    keys: ']',
    within: 'side',
    enabled: () => isShown() && useNeighbors.getState().depth < 3,
    run: () => setDepth(useNeighbors.getState().depth + 1),
  },
  {
    id: 'neighbors.nearer',
    title: 'Show fewer steps',
    keys: '[',
    within: 'side',
    enabled: () => isShown() && useNeighbors.getState().depth > 1,
    run: () => setDepth(useNeighbors.getState().depth - 1),
  },
];

export const start = (): Stop => stopAll(registerCommands(COMMANDS), followSelection());
