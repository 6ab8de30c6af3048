/** The earlier issues of the repository, as the dialog shows them. */
import { create } from 'zustand';
import type { IssueSummary } from '../../../shared/issues.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { abandonIssue, issueNow, loadIssue, saveIssue } from '../search/index.ts';

interface History {
  query: string;
  /** True to list deleted issues instead. */
  deleted: boolean;
  /** Null until they are known. */
  issues: readonly IssueSummary[] | null;
  /** The one that was deleted last, to be had back. */
  undo: { issue: IssueSummary; wasOpen: boolean } | null;
}

const CLOSED: History = { query: '', deleted: false, issues: null, undo: null };
export const useIssueHistory = create<History>(() => CLOSED);

let asked = 0;

/** Lists them anew; an answer that comes after a newer question is left out. */
export async function listIssues(
  change: Partial<Pick<History, 'query' | 'deleted'>> = {},
): Promise<void> {
  useIssueHistory.setState(change);
  const { query, deleted } = useIssueHistory.getState();
  const { repository } = useApp.getState();
  if (!repository) return;
  const mine = ++asked;
  const issues = await engine.call('issues.list', { repository: repository.id, query, deleted });
  if (mine === asked) useIssueHistory.setState({ issues });
}

/** Keeps the list up to date while the dialog is open. */
export function followIssues(): () => void {
  useIssueHistory.setState(CLOSED);
  // What is in the editor belongs to the list, too.
  saveIssue().finally(() => listIssues());
  return engine.on('changed', ({ what }) => {
    if (what === 'issues') listIssues();
  });
}

/** Puts an issue into the editor, and a deleted one back into the history. */
export async function openIssue(id: string): Promise<void> {
  if (useIssueHistory.getState().deleted) await restoreIssue(id);
  await showIssue(id);
}

async function showIssue(id: string): Promise<void> {
  const { text, source } = await engine.call('issues.get', { issue: id });
  loadIssue(text, id, source);
}

/** An empty name gives it back the title that its text has. */
export async function renameIssue(id: string, name: string): Promise<void> {
  await engine.call('issues.rename', { issue: id, name: name.trim().slice(0, 200) || null });
}

export async function pinIssue({ id, pinned }: IssueSummary): Promise<void> {
  await engine.call('issues.pin', { issue: id, pinned: !pinned });
}

export async function deleteIssue(issue: IssueSummary): Promise<void> {
  const wasOpen = issue.id === issueNow().id;
  if (wasOpen) abandonIssue();
  await engine.call('issues.delete', { issue: issue.id });
  useIssueHistory.setState({ undo: { issue, wasOpen } });
}

export async function restoreIssue(id: string): Promise<void> {
  await engine.call('issues.restore', { issue: id });
}

export async function undoDelete(): Promise<void> {
  const { undo } = useIssueHistory.getState();
  if (!undo) return;
  useIssueHistory.setState({ undo: null });
  await restoreIssue(undo.issue.id);
  if (undo.wasOpen && issueNow().text === '') await showIssue(undo.issue.id);
}
