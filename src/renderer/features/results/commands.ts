import { registerCommands } from '../../app/commands.ts';
import { select, useSearch } from './search.ts';

const hasResults = () => (useSearch.getState().response?.results.length ?? 0) > 0;

registerCommands([
  {
    id: 'results.next',
    title: 'Next result',
    group: 'Results',
    keys: 'Alt+ArrowDown',
    enabled: hasResults,
    run: () => step(1),
  },
  {
    id: 'results.previous',
    title: 'Previous result',
    group: 'Results',
    keys: 'Alt+ArrowUp',
    enabled: hasResults,
    run: () => step(-1),
  },
]);

function step(by: 1 | -1): void {
  const { response, selected } = useSearch.getState();
  const results = response?.results ?? [];
  const at = results.findIndex(({ address }) => address === selected) + by;
  const next = results[Math.max(0, Math.min(results.length - 1, at))];
  if (next) select(next.address);
}
