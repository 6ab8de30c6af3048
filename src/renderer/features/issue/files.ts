/** An issue from a file: dropped onto the pane, or chosen. */
import { create } from 'zustand';
import { decodeText } from '../../../shared/decode-text.ts';
import { MAX_ISSUE } from '../../../shared/limits.ts';
import { loadIssue } from '../search/index.ts';

export const useFileProblem = create<{ problem: string | null }>(() => ({ problem: null }));

const ENDINGS = ['.md', '.markdown', '.txt', '.text', '.rst', '.log'];

/** Puts the text of a file into the editor as an issue of its own. */
export async function loadIssueFile(file: File): Promise<void> {
  useFileProblem.setState({ problem: null });
  const known = ENDINGS.some((ending) => file.name.toLowerCase().endsWith(ending));
  if (!known && !file.type.startsWith('text/')) {
    return refuse(`“${file.name}” is not a text: use an .md or .txt file.`);
  }
  if (file.size > 4 * MAX_ISSUE) return refuse(tooLong(file.name));
  try {
    const text = decodeText(await file.arrayBuffer());
    if (text.length > MAX_ISSUE) return refuse(tooLong(file.name));
    if (text.trim() === '') return refuse(`“${file.name}” is empty.`);
    loadIssue(text);
  } catch {
    // The user is told; the browser gives no reason.
    refuse(`“${file.name}” could not be read.`);
  }
}

const tooLong = (name: string) =>
  `“${name}” is too long: an issue has ${MAX_ISSUE / 1e6} million characters at most.`;

const refuse = (problem: string): void => useFileProblem.setState({ problem });

export function chooseIssueFile(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = `${ENDINGS.join(',')},text/*`;
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) loadIssueFile(file);
  });
  input.click();
}
