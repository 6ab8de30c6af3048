import { type Command, registerCommands, runCommand } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { useApp } from '../../platform/state.ts';
import { hasResults } from '../search/index.ts';
import {
  cancelCheckOutcome,
  clearCheckOutcome,
  clearOnChange,
  getCheckModel,
  getModelName,
  startCheckOutcome,
  toggleOrder,
  useCheck,
} from './check.ts';

const isWorkspace = () => useApp.getState().repository?.members !== undefined;

const COMMANDS: readonly Command[] = [
  {
    id: 'check.run',
    get title() {
      const settings = getCheckModel();
      return `Check with ${settings ? getModelName(settings).slice(0, 80) : 'a language model'}`;
    },
    keys: 'v',
    within: 'results',
    enabled: () => !isWorkspace() && hasResults() && useCheck.getState().running === null,
    // Without a check, opens the settings to set one up.
    run: () => (getCheckModel() ? startCheckOutcome() : runCommand('view.setUpCheck')),
  },
  {
    id: 'check.cancel',
    title: 'Cancel check',
    enabled: () => useCheck.getState().running !== null,
    run: cancelCheckOutcome,
  },
  {
    id: 'check.order',
    title: "Order by the language model's check",
    synonyms: 'toggle check engine',
    keys: 'o',
    within: 'results',
    enabled: () => useCheck.getState().outcome?.failure === null,
    run: toggleOrder,
  },
  {
    id: 'check.forget',
    title: 'Remove check',
    enabled: () => useCheck.getState().outcome !== null,
    run: clearCheckOutcome,
  },
];

export const start = (): Stop => stopAll(registerCommands(COMMANDS), clearOnChange());
