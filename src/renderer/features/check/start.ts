import { type Command, registerCommands, runCommand } from '../../platform/commands.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useApp } from '../../platform/state.ts';
import { hasResults } from '../search/index.ts';
import {
  cancelCheck,
  clearOnChange,
  getCheckModel,
  getModelName,
  startCheck,
  toggleOrder,
  useCheck,
} from './check.ts';
import { followStoredCheck, forgetCheck } from './stored.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'check.run',
    get title() {
      const settings = getCheckModel();
      return `Check with ${settings ? getModelName(settings).slice(0, 80) : 'a language model'}`;
    },
    keys: 'v',
    within: 'results',
    enabled: () => hasResults() && useCheck.getState().running === null,
    run: () => (getCheckModel() ? startCheck() : runCommand('check.setUp')),
  },
  {
    id: 'check.setUp',
    title: 'Set up a second opinion…',
    synonyms: 'check language model llm ai agent ollama api key preferences',
    run: () => openOverlay('setUpCheck'),
  },
  {
    id: 'check.cancel',
    title: 'Cancel check',
    enabled: () => useCheck.getState().running !== null,
    run: cancelCheck,
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
    run: forgetCheck,
  },
];

/** Loads automatic checks once the user has chosen them, as most never do. */
function checkFinalListsIfChosen(): Stop {
  const stopped = new AbortController();
  let isLoading = false;
  let stop: Stop = () => {};
  async function load(): Promise<void> {
    if (isLoading || !useApp.getState().settings?.check?.automatic) return;
    isLoading = true;
    const { checkFinalLists } = await import('./automatic.ts');
    if (!stopped.signal.aborted) stop = checkFinalLists();
  }
  load();
  return stopAll(
    useApp.subscribe(load),
    () => stopped.abort(),
    () => stop(),
  );
}

export const start = (): Stop =>
  stopAll(
    registerCommands(COMMANDS),
    checkFinalListsIfChosen(),
    clearOnChange(),
    followStoredCheck(),
  );
