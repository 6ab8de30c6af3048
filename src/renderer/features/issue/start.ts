import { type Command, registerCommands } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { focusPane, usePanes } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { registerDefinitionSource } from '../preview/index.ts';
import {
  declineFetch,
  fetchIssue,
  loadIssue,
  saveIssue,
  searchNow,
  useIssueUrl,
} from '../search/index.ts';
import { chooseIssueFile, followFileProblem } from './files.ts';
import { hasMentions, moveToMention, openMentionTarget } from './underlined-mentions.ts';

const isOpen = () => useApp.getState().repository !== null;

const isFetchOffered = () => {
  const { offer, phase } = useIssueUrl.getState();
  return offer !== null && offer.refusal === null && phase === 'asked';
};

const COMMANDS: readonly Command[] = [
  {
    id: 'issue.search',
    title: 'Search',
    synonyms: 'find run rank locate',
    keys: '$mod+Enter',
    enabled: isOpen,
    run: async () => {
      if (useIssueUrl.getState().offer?.agreed) return fetchIssue();
      if (usePanes.getState().single) focusPane('results');
      await Promise.all([searchNow(), saveIssue()]);
    },
  },
  {
    id: 'issue.new',
    title: 'New issue',
    synonyms: 'clear empty',
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
    synonyms: 'previous recent saved',
    keys: '$mod+Alt+H',
    enabled: isOpen,
    run: () => openOverlay('history'),
  },
  {
    id: 'issue.openFile',
    title: 'Open issue from file…',
    synonyms: 'import load upload read markdown',
    enabled: isOpen,
    run: chooseIssueFile,
  },
  {
    id: 'issue.fetchLink',
    title: 'Fetch issue once',
    enabled: isFetchOffered,
    run: fetchIssue,
  },
  {
    id: 'issue.declineLink',
    title: 'Don’t fetch issue',
    enabled: isFetchOffered,
    run: declineFetch,
  },
  {
    id: 'issue.nextMention',
    title: 'Next recognized name, path or frame',
    keys: 'F9',
    enabled: hasMentions,
    run: () => moveToMention(1),
  },
  {
    id: 'issue.previousMention',
    title: 'Previous recognized name, path or frame',
    keys: 'Shift+F9',
    enabled: hasMentions,
    run: () => moveToMention(-1),
  },
];

export const start = (): Stop =>
  stopAll(
    registerDefinitionSource('issue', { ready: hasMentions, go: () => openMentionTarget() }),
    registerCommands(COMMANDS),
    followFileProblem(),
  );
