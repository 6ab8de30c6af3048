import { type Command, registerCommands } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { focusPane, usePanes } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { provideDefinitions } from '../preview/index.ts';
import {
  declineLink,
  fetchLink,
  loadIssue,
  saveIssue,
  searchNow,
  useLink,
} from '../search/index.ts';
import { chooseIssueFile } from './files.ts';
import { goToMention, hasMentions, stepToMention } from './placed-mentions.ts';

const isOpen = () => useApp.getState().repository !== null;

const isFetchOffered = () => {
  const { offer, phase } = useLink.getState();
  return offer !== null && offer.barred === null && phase === 'asked';
};

const COMMANDS: readonly Command[] = [
  {
    id: 'issue.search',
    title: 'Search',
    also: 'find run rank locate',
    keys: '$mod+Enter',
    enabled: isOpen,
    run: async () => {
      if (useLink.getState().offer?.agreed) return fetchLink();
      if (usePanes.getState().single) focusPane('results');
      await Promise.all([searchNow(), saveIssue()]);
    },
  },
  {
    id: 'issue.new',
    title: 'New issue',
    also: 'clear empty',
    keys: '$mod+Alt+N',
    enabled: isOpen,
    run: () => {
      loadIssue('');
      focusPane('issue');
    },
  },
  {
    id: 'issue.history',
    title: 'Earlier issues',
    also: 'previous recent saved',
    keys: '$mod+Alt+H',
    enabled: isOpen,
    run: () => openOverlay('history'),
  },
  {
    id: 'issue.openFile',
    title: 'Open issue from file…',
    also: 'import load upload read markdown',
    enabled: isOpen,
    run: chooseIssueFile,
  },
  {
    id: 'issue.fetchLink',
    title: 'Fetch issue once',
    enabled: isFetchOffered,
    run: fetchLink,
  },
  {
    id: 'issue.declineLink',
    title: 'Don’t fetch issue',
    enabled: isFetchOffered,
    run: declineLink,
  },
  {
    id: 'issue.nextMention',
    title: 'Next recognized name, path or frame',
    keys: 'F9',
    enabled: hasMentions,
    run: () => stepToMention(1),
  },
  {
    id: 'issue.previousMention',
    title: 'Previous recognized name, path or frame',
    keys: 'Shift+F9',
    enabled: hasMentions,
    run: () => stepToMention(-1),
  },
];

export const start = (): Stop =>
  stopAll(
    provideDefinitions('issue', { ready: hasMentions, go: () => goToMention() }),
    registerCommands(COMMANDS),
  );
