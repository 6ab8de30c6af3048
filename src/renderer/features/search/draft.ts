/** Keeps the latest text of an issue in the browser until the engine has saved it, so that nothing is lost if the server ends. */
import { z } from 'zod';

const KEY = 'locus.draft';
const draft = z.object({ root: z.string(), text: z.string() });

/** @param root folder of the repository that the issue belongs to */
export function keepDraft(root: string, text: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ root, text }));
  } catch {
    // The storage is full or turned off. The engine saves the text a second after typing.
  }
}

/** Removes the draft after the engine has saved this text. */
export function dropDraft(text: string): void {
  if (readDraft()?.text === text) localStorage.removeItem(KEY);
}

/** Removes the draft of a repository and returns its text. Returns null if everything was saved. */
export function takeDraft(root: string): string | null {
  const found = readDraft();
  if (found?.root !== root) return null;
  localStorage.removeItem(KEY);
  return found.text;
}

function readDraft(): z.output<typeof draft> | null {
  try {
    return draft.parse(JSON.parse(localStorage.getItem(KEY) ?? ''));
  } catch {
    // There is no draft.
    return null;
  }
}
