import { registerCommands } from '../../app/commands.ts';
import { focusPane } from '../../app/panes.ts';
import { useApp } from '../../app/state.ts';
import { searchNow } from '../results/search.ts';
import { newIssue, saveIssue } from './issue.ts';

const isOpen = () => useApp.getState().repository !== null;

registerCommands([
  {
    id: 'issue.search',
    title: 'Search',
    group: 'Issue',
    keys: '$mod+Enter',
    enabled: isOpen,
    run: async () => {
      await Promise.all([searchNow(), saveIssue()]);
    },
  },
  {
    id: 'issue.new',
    title: 'New issue',
    group: 'Issue',
    keys: '$mod+Alt+N',
    enabled: isOpen,
    run: () => {
      newIssue();
      focusPane('issue');
    },
  },
]);
