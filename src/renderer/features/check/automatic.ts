/** Checks every final list by itself, if the user has chosen that. A list is checked once, and none after a failure until the user asks. */
import { isSetUp } from '../../../shared/check-endpoint.ts';
import { type Stop, stopAll, Timer } from '../../platform/lifetime.ts';
import { onRepositoryChange, useApp } from '../../platform/state.ts';
import { getRequest, useSearch } from '../search/index.ts';
import { cancelCheck, checkByItself, useCheck } from './check.ts';

/** Rest before a check, in which the user may go on typing. */
const AFTER_MS = 1_500;

/** Identifies the list that would be checked by its request without marks, which change too often to ask a model each time. */
function identifyList(): string {
  const { feedback: _, ...request } = getRequest() ?? { feedback: undefined };
  return JSON.stringify(request);
}

/** Returns true if a list is shown that no running or expected search will replace. */
function isListFinal(): boolean {
  const { search, due, issue } = useSearch.getState();
  if (search.phase !== 'idle' || search.failure || due || !search.list) return false;
  const { response, issue: searched } = search.list;
  return searched === issue.text && response.partial === null && response.results.length > 0;
}

function hasList(): boolean {
  const { search } = useSearch.getState();
  return search.list !== null || 'run' in search;
}

function isOn(): boolean {
  const { settings, repository } = useApp.getState();
  const check = settings?.check;
  const isChosen = check?.automatic === true && isSetUp(check) && !repository?.members;
  return isChosen && useCheck.getState().automaticFailure === null;
}

/** Follows the list, and starts and cancels checks. */
export function checkFinalLists(): Stop {
  const timer = new Timer();
  let waiting = '';
  /** List that was checked last. */
  let checked = '';
  /** True if the user has not agreed to send code of the open repository. */
  let isRefused = false;

  async function run(list: string): Promise<void> {
    waiting = '';
    const { isDue, running } = useCheck.getState();
    if (!isDue || running) return;
    checked = list;
    const { isAgreed } = await checkByItself();
    if (!isAgreed) isRefused = true;
    follow();
  }

  function follow(): void {
    const list = identifyList();
    const isDue = isOn() && !isRefused && hasList() && list !== checked;
    if (isDue !== useCheck.getState().isDue) useCheck.setState({ isDue });
    if (!isListFinal()) {
      timer.clear();
      waiting = '';
      if (!useCheck.getState().running?.isAutomatic) return;
      cancelCheck();
      checked = '';
    } else if (isDue && list !== waiting) {
      waiting = list;
      timer.set(() => run(list), AFTER_MS);
    }
  }

  function restart(): void {
    timer.clear();
    [waiting, checked, isRefused] = ['', '', false];
    follow();
  }

  follow();
  return stopAll(
    () => timer.clear(),
    useSearch.subscribe(({ issue }, { issue: before }) => {
      // A new issue removes the check, so this list is checked again when its issue returns.
      if (issue.text !== before.text) checked = '';
      follow();
    }),
    onRepositoryChange(restart),
    useApp.subscribe(({ settings }, { settings: before }) => {
      const [now, last] = [settings?.check, before?.check];
      const names = ['automatic', 'address', 'model'] as const;
      if (names.every((name) => now?.[name] === last?.[name])) return;
      // Another model may do better.
      useCheck.setState({ automaticFailure: null });
      restart();
    }),
    useCheck.subscribe(({ outcome, automaticFailure }, before) => {
      if (outcome && outcome !== before.outcome) {
        checked = identifyList();
        isRefused = false;
      }
      if (outcome !== before.outcome || automaticFailure !== before.automaticFailure) follow();
    }),
  );
}
