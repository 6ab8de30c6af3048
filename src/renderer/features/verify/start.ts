import { type Command, registerCommands, runCommand } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { useApp } from '../../platform/state.ts';
import { hasResults } from '../search/index.ts';
import {
  cancelVerification,
  clearOnChange,
  clearVerification,
  getVerifier,
  startVerification,
  toggleOrder,
  useVerify,
} from './verify.ts';

const isWorkspace = () => useApp.getState().repository?.members !== undefined;

const COMMANDS: readonly Command[] = [
  {
    id: 'verify.run',
    get title() {
      return `Verify with ${getVerifier()?.model.slice(0, 80) ?? 'a language model'}`;
    },
    keys: 'v',
    within: 'results',
    enabled: () => !isWorkspace() && hasResults() && useVerify.getState().running === null,
    // Without a verifier, opens the settings to set one up.
    run: () => (getVerifier() ? startVerification() : runCommand('view.setUpVerifier')),
  },
  {
    id: 'verify.cancel',
    title: 'Cancel verification',
    enabled: () => useVerify.getState().running !== null,
    run: cancelVerification,
  },
  {
    id: 'verify.order',
    title: "Order by the language model's check",
    synonyms: 'toggle verifier verdicts engine',
    keys: 'o',
    within: 'results',
    enabled: () => useVerify.getState().outcome?.failure === null,
    run: toggleOrder,
  },
  {
    id: 'verify.forget',
    title: 'Remove verdicts',
    enabled: () => useVerify.getState().outcome !== null,
    run: clearVerification,
  },
];

export const start = (): Stop => stopAll(registerCommands(COMMANDS), clearOnChange());
