/** The issue in the editor, kept in the repository's history as it is worked on. */
import { create } from 'zustand';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';

interface IssueState {
  /** Its id in the history; made here, so that saving twice is saving once. */
  id: string;
  text: string;
  /** Rises when the text came from elsewhere than the editor, which must then show it. */
  loads: number;
}

export const useIssue = create<IssueState>(() => ({ id: crypto.randomUUID(), text: '', loads: 0 }));

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
 * earlier one again.
 */
export async function saveIssue({ apart = false } = {}): Promise<void> {
  clearTimeout(timer);
  const { repository } = useApp.getState();
  const { id, text } = useIssue.getState();
  if (!repository || text.trim() === '') return;
  const request = { repository: repository.id, issue: id, text, apart };
  const saved = await engine.call('issues.save', request);
  if (useIssue.getState().id === id) useIssue.setState({ id: saved.id });
}

// What was typed in the last second before the window closes or reloads.
window.addEventListener('pagehide', () => {
  saveIssue();
});

/** Puts another issue into the editor: one of the history, or, without an id, a new one with this text. */
export function loadIssue(text: string, id: string = crypto.randomUUID()): void {
  saveIssue();
  replaceIssue(text, id);
}

/** Leaves the issue without saving it, because it was deleted. */
export function abandonIssue(): void {
  clearTimeout(timer);
  replaceIssue('', crypto.randomUUID());
}

/** Offsets into the text count lines with one character at their end, as the editor does. */
function replaceIssue(text: string, id: string): void {
  useIssue.setState(({ loads }) => ({ id, text: text.replace(/\r\n?/g, '\n'), loads: loads + 1 }));
}

export const newIssue = (): void => loadIssue('');

/** The same text from here on belongs to an issue of its own: somebody pasted a new one over the old. */
export function beginAnew(): void {
  saveIssue();
  useIssue.setState({ id: crypto.randomUUID() });
}
