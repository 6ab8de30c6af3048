/** Shows the stored check of the issue in the editor again, and what has changed since. */
import { engine } from '../../platform/client.ts';
import { onIndexChange } from '../../platform/index-changes.ts';
import { type Stop, stopAll, Timer } from '../../platform/lifetime.ts';
import { onRepositoryChange, useApp } from '../../platform/state.ts';
import { getRequest, useSearch } from '../search/index.ts';
import { clearCheck, useCheck } from './check.ts';

const RELOAD_AFTER_MS = 300;
const reloading = new Timer();

const reloadSoon = (): void => reloading.set(reload, RELOAD_AFTER_MS);

/** Returns what a stored check belongs to; null while there is no issue, or while the index is incomplete. */
function getCheckedIssue() {
  const { repository, indexing } = useApp.getState();
  const issue = getRequest()?.issue;
  const isIndexed = indexing?.phase === 'current' || indexing?.phase === 'paused';
  return repository && issue !== undefined && isIndexed
    ? { repository: repository.id, issue }
    : null;
}

async function reload(): Promise<void> {
  const asked = getCheckedIssue();
  if (!asked || useCheck.getState().running) return;
  try {
    const stored = await engine.call('check.stored', asked);
    const { running, outcome } = useCheck.getState();
    const now = getCheckedIssue();
    const isLate = now?.repository !== asked.repository || now.issue !== asked.issue;
    if (!stored || running || isLate) return;
    if (outcome === null) useCheck.setState({ outcome: stored, applied: true });
    // The addresses and what has changed, unless the list shows another check.
    else if (outcome.checkedAt === stored.checkedAt)
      useCheck.setState({
        outcome: { ...outcome, chunks: stored.chunks, added: stored.added },
      });
  } catch {
    // The repository was closed or is being reopened. The next event reloads the check.
  }
}

/** Removes the check that is shown. One that failed was not stored, so an earlier one is shown again. */
export async function forgetCheck(): Promise<void> {
  const { outcome } = useCheck.getState();
  const { repository } = useApp.getState();
  const issue = getRequest()?.issue;
  clearCheck();
  if (outcome?.failure) reloadSoon();
  else if (repository && issue !== undefined)
    await engine.call('check.forget', { repository: repository.id, issue });
}

export const followStoredCheck = (): Stop =>
  stopAll(
    useSearch.subscribe(({ issue }, before) => {
      if (issue.text !== before.issue.text) reloadSoon();
    }),
    onRepositoryChange(reloadSoon),
    onIndexChange(reloadSoon),
    engine.on('indexing', ({ state }) => {
      if (state.phase === 'current' && !state.progress) reloadSoon();
    }),
    () => reloading.clear(),
  );
