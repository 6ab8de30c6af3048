import { type Command, registerCommands } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { hasResults } from '../search/index.ts';
import {
  cancelInvestigation,
  cancelOnChange,
  getAgentName,
  startInvestigation,
  useInvestigation,
} from './investigate.ts';

const isRunning = () => {
  const { running, planning } = useInvestigation.getState();
  return running !== null || planning;
};

const COMMANDS: readonly Command[] = [
  {
    id: 'check.investigate',
    get title() {
      return `Investigate with ${getAgentName() ?? 'an agent'}`;
    },
    synonyms: 'claude codex gemini acp',
    enabled: () => getAgentName() !== null && hasResults() && !isRunning(),
    run: startInvestigation,
  },
  {
    id: 'check.stopInvestigating',
    title: 'Cancel investigation',
    enabled: () => isRunning() || useInvestigation.getState().failure !== null,
    run: cancelInvestigation,
  },
];

export const start = (): Stop => stopAll(registerCommands(COMMANDS), cancelOnChange());
