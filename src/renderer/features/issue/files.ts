/** Loads an issue from a file that was dropped onto the pane or chosen. */
import { create } from 'zustand';
import { decodeText } from '../../../shared/decode-text.ts';
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import { MAX_ISSUE } from '../../../shared/limits.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { onRepositoryChange } from '../../platform/state.ts';
import { formatBytes } from '../../ui/counts.ts';
import { loadIssue } from '../search/index.ts';

export const useFileProblem = create<{ problem: string | null }>(() => ({ problem: null }));

/** Forgets the problem when another repository is opened. */
export const followFileProblem = (): Stop =>
  onRepositoryChange(() => useFileProblem.setState({ problem: null }));

const EXTENSIONS = ['.md', '.markdown', '.txt', '.text', '.rst', '.log'];

/** Opens the text of a file in the editor as a new issue. */
export async function loadIssueFile(file: File): Promise<void> {
  useFileProblem.setState({ problem: null });
  const isKnown = EXTENSIONS.some((extension) => file.name.toLowerCase().endsWith(extension));
  if (!isKnown && !file.type.startsWith('text/')) {
    return showProblem(`“${file.name}” is not a text file. Use an .md or .txt file.`);
  }
  if (file.size > 4 * MAX_ISSUE)
    return showProblem(formatTooLong(file.name, formatBytes(file.size)));
  try {
    const text = decodeText(await file.arrayBuffer());
    if (text.length > MAX_ISSUE)
      return showProblem(formatTooLong(file.name, formatCounted(text.length, 'character')));
    if (text.trim() === '') return showProblem(`“${file.name}” is empty. Choose a file with text.`);
    loadIssue(text);
  } catch {
    // The browser gives no reason.
    showProblem(`“${file.name}” could not be read. Choose it again.`);
  }
}

const formatTooLong = (name: string, size: string) =>
  `“${name}” has ${size}. An issue can have up to ${formatCount(MAX_ISSUE)} characters. Shorten it to the relevant part.`;

const showProblem = (problem: string): void => useFileProblem.setState({ problem });

export function chooseIssueFile(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = `${EXTENSIONS.join(',')},text/*`;
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) loadIssueFile(file);
  });
  input.click();
}
