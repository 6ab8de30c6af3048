/** The issue in the editor, saved to the repository's history while it is edited. */
import type { IssueSource } from '../../../shared/issues.ts';
import type { OpenedRepository } from '../../../shared/repository.ts';
import { engine } from '../../platform/client.ts';
import { listen, type Stop, stopAll, Timer } from '../../platform/lifetime.ts';
import { useApp } from '../../platform/state.ts';
import { dropDraft, keepDraft, takeDraft } from './draft.ts';
import { type EditedIssue, isSearchable } from './machine.ts';
import { dispatch, useSearch } from './search-state.ts';

export const getIssue = (): EditedIssue => useSearch.getState().issue;

const SAVE_AFTER_MS = 1000;
const saving = new Timer();

/**
 * Handles an edit by the user. `isReplacement`: the whole text was replaced. `isAnother`: the text becomes a new issue, and the
 * previous one stays in the history.
 */
export function editIssue(text: string, { isReplacement = false, isAnother = false } = {}): void {
  if (isAnother) saveIssue();
  dispatch({
    type: 'issueEdited',
    text,
    isReplacement,
    id: isAnother ? crypto.randomUUID() : null,
  });
  const { repository } = useApp.getState();
  if (repository) keepDraft(repository.root, text);
  // A pasted issue may match an earlier one. Saving at once shows the earlier one's marks with the first results.
  if (isReplacement) saveIssue();
  else saving.set(() => saveIssue(), SAVE_AFTER_MS);
}

/**
 * Saves the issue now. Also called before another one replaces it. Unless `separate` is true, the engine may merge it with an
 * earlier version. An issue URL is not saved.
 */
export async function saveIssue({
  separate = false,
  repository = useApp.getState().repository,
} = {}): Promise<void> {
  saving.clear();
  const { id, text, source } = getIssue();
  if (!repository || !isSearchable(text)) return;
  const request = { repository: repository.id, issue: id, text, separate, source };
  const saved = await engine.call('issues.save', request);
  dropDraft(text);
  dispatch({ type: 'issueSaved', id, savedAs: saved.id });
}

/**
 * Saves the issue together with data that belongs to it, in the single request of `store`. With two requests, closing the
 * window between them would lose the data. Returns the result of `store`.
 */
export async function saveWithIssue<T extends { issue: string }>(
  store: (request: { issue: string; save?: Pick<EditedIssue, 'text' | 'source'> }) => Promise<T>,
): Promise<T> {
  const { id, text, source } = getIssue();
  const stored = await store({ issue: id, ...(isSearchable(text) && { save: { text, source } }) });
  dispatch({ type: 'issueSaved', id, savedAs: stored.issue });
  return stored;
}

/** Loads an issue into the editor: one from the history, or a new one with this text if no id is given. */
export function loadIssue(
  text: string,
  id: string = crypto.randomUUID(),
  source: IssueSource | null = null,
): void {
  saveIssue();
  dispatch({ type: 'issueLoaded', issue: { id, text, source } });
}

/** Closes the issue without saving it, after it was deleted. */
export function discardIssue(): void {
  saving.clear();
  dispatch({ type: 'issueLoaded', issue: { id: crypto.randomUUID(), text: '', source: null } });
}

/** Follows the open repository, and saves the latest edits before the window closes. */
export function followIssue(): Stop {
  return stopAll(
    useApp.subscribe(({ repository }, { repository: before }) => {
      if (repository === before) return;
      if (before && repository?.id !== before.id) {
        // The latest edits belong to the repository that was open before.
        saveIssue({ repository: before });
        dispatch({ type: 'cleared' });
        // The issue stays if only another version of the same repository was opened.
        if (repository?.root !== before.root) discardIssue();
      }
      if (repository) showLastIssue(repository);
    }),
    listen('pagehide', () => saveIssue()),
    () => saving.clear(),
  );
}

/**
 * Loads the text that was not saved, or the latest issue of this repository, or the sample's issue in the sample repository. A text in the editor is kept
 * and searched for.
 */
function showLastIssue({ root, lastIssue }: OpenedRepository): void {
  const { sample } = useApp.getState().welcome ?? {};
  const draft = takeDraft(root);
  if (getIssue().text !== '') dispatch({ type: 'searchDue', afterMs: 0, isUpdate: false });
  else if (draft !== null && draft !== lastIssue?.text) loadIssue(draft);
  else if (lastIssue) loadIssue(lastIssue.text, lastIssue.id, lastIssue.source);
  else if (root === sample?.root) loadIssue(sample.issue);
}
