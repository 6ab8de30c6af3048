/** Takes the entry of Locus out of a file that was edited since. */
import { isSame } from './config-format.ts';
import { FORMATS } from './formats.ts';
import type { JournalEdit } from './journal.ts';

/**
 * Returns a text without an entry. If the file still has the inserted text exactly once, that text is removed as it is, so every other
 * byte stays. Otherwise the entry is removed by its place in the file.
 * @throws ConfigProblem
 */
export function takeOutEdit(text: string, edit: JournalEdit): string {
  const format = FORMATS[edit.format];
  const found = format.find(text, edit);
  if (found === undefined) return text;
  const exact = isSame(found, edit.value) ? removeOnce(text, edit.text) : null;
  if (
    exact !== null &&
    isWithout(exact, edit) &&
    !(format.isStrict(text) && !format.isStrict(exact))
  )
    return exact;
  return format.remove(text, edit, edit.createdKeys);
}

/** Removes a part that occurs exactly once; null otherwise. */
function removeOnce(text: string, part: string): string | null {
  const at = text.indexOf(part);
  if (part === '' || at < 0 || text.indexOf(part, at + 1) >= 0) return null;
  return text.slice(0, at) + text.slice(at + part.length);
}

/** Returns true if a text is still valid and has no such entry. */
function isWithout(text: string, edit: JournalEdit): boolean {
  try {
    return FORMATS[edit.format].find(text, edit) === undefined;
  } catch {
    // The removed text was not the entry alone.
    return false;
  }
}
