/** The issue in the editor, kept in the repository's history as it is worked on. */
import { create } from 'zustand';
import { isIssueLink } from '../../../shared/issue-link.ts';
import type { IssueSource } from '../../../shared/issues.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';

export interface IssueState {
  /** Its id in the history; made here, so that saving twice is saving once. */
  id: string;
  text: string;
  /** Where it was fetched from; null for one that was written or pasted. */
  source: IssueSource | null;
  /** Rises when the text came from elsewhere than the editor, which must then show it. */
  loads: number;
}

export const useIssue = create<IssueState>(() => ({
  id: crypto.randomUUID(),
  text: '',
  source: null,
  loads: 0,
}));

const SAVE_AFTER_MS = 1000;
let timer = 0;

/** The user changed the text. */
export function editIssue(text: string): void {
  useIssue.setState({ text });
  clearTimeout(timer);
  timer = window.setTimeout(() => saveIssue(), SAVE_AFTER_MS);
}

/**
 * Stores the issue now; also called before another one takes its place. Unless `apart`, it may turn out to be an
 * earlier one again. A link is no issue yet, and is not stored.
 */
export async function saveIssue({
  apart = false,
  repository = useApp.getState().repository,
} = {}): Promise<void> {
  clearTimeout(timer);
  const { id, text, source } = useIssue.getState();
  if (!repository || text.trim() === '' || isIssueLink(text)) return;
  const request = { repository: repository.id, issue: id, text, apart, source };
  const saved = await engine.call('issues.save', request);
  if (useIssue.getState().id === id) useIssue.setState({ id: saved.id });
}

/**
 * Stores something that belongs to the issue, and the issue with it, in the one request that `store` makes: were the issue
 * saved before, a window that is closed in between would lose the rest. Answers what `store` does.
 */
export async function savedWithIssue<T extends { issue: string }>(
  store: (request: { issue: string; save?: Pick<IssueState, 'text' | 'source'> }) => Promise<T>,
): Promise<T> {
  const { id, text, source } = useIssue.getState();
  const isSavable = text.trim() !== '' && !isIssueLink(text);
  const stored = await store({ issue: id, ...(isSavable && { save: { text, source } }) });
  if (useIssue.getState().id === id) useIssue.setState({ id: stored.issue });
  return stored;
}

// What was typed last belongs to what was open then, which is let go of in a moment.
useApp.subscribe(({ repository }, { repository: before }) => {
  if (!before || repository?.id === before.id) return;
  saveIssue({ repository: before });
  // Another version of the same repository is searched for the same issue.
  if (repository?.root !== before.root) abandonIssue();
});

// What was typed in the last second before the window closes or reloads.
window.addEventListener('pagehide', () => {
  saveIssue();
});

/** Puts another issue into the editor: one of the history, or, without an id, a new one with this text. */
export function loadIssue(
  text: string,
  id: string = crypto.randomUUID(),
  source: IssueSource | null = null,
): void {
  saveIssue();
  replaceIssue(text, id, source);
}

/** Leaves the issue without saving it, because it was deleted. */
export function abandonIssue(): void {
  clearTimeout(timer);
  replaceIssue('', crypto.randomUUID(), null);
}

/** Offsets into the text count lines with one character at their end, as the editor does. */
function replaceIssue(given: string, id: string, source: IssueSource | null): void {
  const text = given.replace(/\r\n?/g, '\n');
  useIssue.setState(({ loads }) => ({ id, text, source, loads: loads + 1 }));
}

export const newIssue = (): void => loadIssue('');

/** The same text from here on belongs to an issue of its own: somebody pasted a new one over the old. */
export function beginAnew(): void {
  saveIssue();
  useIssue.setState({ id: crypto.randomUUID(), source: null });
}
