/** Copies to the clipboard, and tells the user what was copied. */
import { create } from 'zustand';
import { Timer } from './lifetime.ts';

const SHOWN_MS = 4000;

/** Description of the last copy, for as long as it is shown. `count` distinguishes equal copies. */
export const useCopied = create<{ what: string | null; count: number }>(() => ({
  what: null,
  count: 0,
}));

const hiding = new Timer();

/** Copies a text. @param what description of it, which follows the word “Copied” */
export async function copyText(text: string, what: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  announceCopy(what);
}

/** Tells what the browser copied by itself. */
export function announceCopy(what: string): void {
  useCopied.setState(({ count }) => ({ what, count: count + 1 }));
  hiding.set(() => useCopied.setState({ what: null }), SHOWN_MS);
}
