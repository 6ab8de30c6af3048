/** State of the dialog with the repository's earlier issues. */
import { create } from 'zustand';
import type { IssueSummary } from '../../../shared/issues.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { discardIssue, getIssue, loadIssue, saveIssue } from '../search/index.ts';

interface IssueHistory {
  query: string;
  /** True to list deleted issues instead. */
  deleted: boolean;
  /** Null until they are loaded. */
  issues: readonly IssueSummary[] | null;
  /** Issue that was deleted last, for undo. `wasOpen`: true if it was in the editor. */
  undo: { issue: IssueSummary; wasOpen: boolean } | null;
}

const INITIAL: IssueHistory = { query: '', deleted: false, issues: null, undo: null };
export const useIssueHistory = create<IssueHistory>(() => INITIAL);

let latestRequest = 0;

/** Reloads the list. A response is dropped if a newer request was made in the meantime. */
export async function listIssues(
  change: Partial<Pick<IssueHistory, 'query' | 'deleted'>> = {},
): Promise<void> {
  useIssueHistory.setState(change);
  const { query, deleted } = useIssueHistory.getState();
  const { repository } = useApp.getState();
  if (!repository) return;
  const request = ++latestRequest;
  const issues = await engine.call('issues.list', { repository: repository.id, query, deleted });
  if (request === latestRequest) useIssueHistory.setState({ issues });
}

/** Keeps the list up to date while the dialog is open. Returns a function that stops it. */
export function keepIssuesCurrent(): () => void {
  useIssueHistory.setState(INITIAL);
  // Save first, so that the list includes the issue in the editor.
  saveIssue().finally(() => listIssues());
  return engine.on('changed', ({ what }) => {
    if (what === 'issues') listIssues();
  });
}

/** Opens an issue in the editor. A deleted issue is restored first. */
export async function openIssue(id: string): Promise<void> {
  if (useIssueHistory.getState().deleted) await restoreIssue(id);
  await showIssue(id);
}

async function showIssue(id: string): Promise<void> {
  const { text, source } = await engine.call('issues.get', { issue: id });
  loadIssue(text, id, source);
}

/** Renames an issue. An empty name restores the title from its text. */
export async function renameIssue(id: string, name: string): Promise<void> {
  await engine.call('issues.rename', { issue: id, name: name.trim().slice(0, 200) || null });
}

export async function pinIssue({ id, pinned }: IssueSummary): Promise<void> {
  await engine.call('issues.pin', { issue: id, pinned: !pinned });
}

export async function deleteIssue(issue: IssueSummary): Promise<void> {
  const wasOpen = issue.id === getIssue().id;
  if (wasOpen) discardIssue();
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
  if (undo.wasOpen && getIssue().text === '') await showIssue(undo.issue.id);
}
