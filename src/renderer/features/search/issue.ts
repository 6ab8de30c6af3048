/** The issue in the editor, stored in the repository's history as it is edited. */
import type { IssueSource } from '../../../shared/issues.ts';
import type { OpenedRepository } from '../../../shared/repository.ts';
import { engine } from '../../platform/client.ts';
import { listen, type Stop, stopAll, Timer } from '../../platform/lifetime.ts';
import { useApp } from '../../platform/state.ts';
import { type Issue, isSearchable } from './machine.ts';
import { dispatch, useSearch } from './search-state.ts';

export const issueNow = (): Issue => useSearch.getState().issue;

const SAVE_AFTER_MS = 1000;
const saving = new Timer();

/**
 * The user changed the text. `isReplacement`: they put another text in the place of all of it. `isAnother`: from here on it is
 * an issue of its own, and the one before stays in the history.
 */
export function editIssue(text: string, { isReplacement = false, isAnother = false } = {}): void {
  if (isAnother) saveIssue();
  dispatch({
    type: 'issueEdited',
    text,
    isReplacement,
    id: isAnother ? crypto.randomUUID() : null,
  });
  // At once: marks that it has already, as an earlier one, are to be seen with the first results.
  if (isReplacement) saveIssue();
  else saving.set(() => saveIssue(), SAVE_AFTER_MS);
}

/**
 * Stores the issue now; also called before another one takes its place. Unless `apart`, it may turn out to be an earlier one
 * again. A link is no issue yet, and is not stored.
 */
export async function saveIssue({
  apart = false,
  repository = useApp.getState().repository,
} = {}): Promise<void> {
  saving.clear();
  const { id, text, source } = issueNow();
  if (!repository || !isSearchable(text)) return;
  const request = { repository: repository.id, issue: id, text, apart, source };
  const saved = await engine.call('issues.save', request);
  dispatch({ type: 'issueSaved', id, savedAs: saved.id });
}

/**
 * Stores something that belongs to the issue, and the issue with it, in the one request that `store` makes: were the issue
 * saved before, a window that is closed in between would lose the rest. Returns what `store` does.
 */
export async function savedWithIssue<T extends { issue: string }>(
  store: (request: { issue: string; save?: Pick<Issue, 'text' | 'source'> }) => Promise<T>,
): Promise<T> {
  const { id, text, source } = issueNow();
  const stored = await store({ issue: id, ...(isSearchable(text) && { save: { text, source } }) });
  dispatch({ type: 'issueSaved', id, savedAs: stored.issue });
  return stored;
}

/** Puts another issue into the editor: one of the history, or, without an id, a new one with this text. */
export function loadIssue(
  text: string,
  id: string = crypto.randomUUID(),
  source: IssueSource | null = null,
): void {
  saveIssue();
  dispatch({ type: 'issueLoaded', issue: { id, text, source } });
}

/** Leaves the issue without saving it, because it was deleted. */
export function abandonIssue(): void {
  saving.clear();
  dispatch({ type: 'issueLoaded', issue: { id: crypto.randomUUID(), text: '', source: null } });
}

/** Follows the repository that is open, and saves what was typed last before the window closes. */
export function followIssue(): Stop {
  return stopAll(
    useApp.subscribe(({ repository }, { repository: before }) => {
      if (repository === before) return;
      if (before && repository?.id !== before.id) {
        // The last text typed belongs to the repository that was open before.
        saveIssue({ repository: before });
        dispatch({ type: 'cleared' });
        // Another version of the same repository is searched for the same issue.
        if (repository?.root !== before.root) abandonIssue();
      }
      if (repository) showLastIssue(repository);
    }),
    listen('pagehide', () => saveIssue()),
    () => saving.clear(),
  );
}

/**
 * Goes on with the issue that was worked on last in this repository; in the sample, with the one made for it. What the
 * editor holds already stays.
 */
function showLastIssue({ root, lastIssue }: OpenedRepository): void {
  const { sample } = useApp.getState().welcome ?? {};
  if (issueNow().text !== '') dispatch({ type: 'searchDue', afterMs: 0 });
  else if (lastIssue) loadIssue(lastIssue.text, lastIssue.id, lastIssue.source);
  else if (root === sample?.root) loadIssue(sample.issue);
}
