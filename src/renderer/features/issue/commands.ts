import { registerCommands } from '../../platform/commands.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { focusPane } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { provideDefinitions } from '../preview/index.ts';
import { newIssue, saveIssue, searchNow } from '../search/index.ts';
import { chooseIssueFile } from './files.ts';
import { goToMention, hasMentions, stepToMention } from './placed-mentions.ts';

provideDefinitions('issue', { ready: hasMentions, go: () => goToMention() });

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
  {
    id: 'issue.history',
    title: 'Earlier issues',
    group: 'Issue',
    keys: '$mod+Alt+H',
    enabled: isOpen,
    run: () => openOverlay('history'),
  },
  {
    id: 'issue.openFile',
    title: 'Issue from a file …',
    group: 'Issue',
    enabled: isOpen,
    run: chooseIssueFile,
  },
  {
    id: 'issue.nextMention',
    title: 'Next recognised name, path or frame',
    group: 'Issue',
    keys: 'F9',
    enabled: hasMentions,
    run: () => stepToMention(1),
  },
  {
    id: 'issue.previousMention',
    title: 'Previous recognised name, path or frame',
    group: 'Issue',
    keys: 'Shift+F9',
    enabled: hasMentions,
    run: () => stepToMention(-1),
  },
]);
