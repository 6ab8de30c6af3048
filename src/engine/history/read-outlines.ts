import { throwIfCancelled } from '../../base/cancel.ts';
import { languageOf } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { BlobReader } from '../source/blob-reader.ts';
import { mapWindow } from '../source/map-window.ts';
import type { ListedEdits } from './listed-edits.ts';
import { type Outlines, outlineKey, outlineOf } from './outline.ts';

/** Blobs that git is asked for at a time. */
const ASKED_FOR = 32;

/**
 * Adds the outlines of files after these edits, newest first, that no later one leads to. Unreadable ones stay missing.
 * Rejects with LocusError `cancelled`.
 */
export async function readMissingOutlines(
  root: string,
  listed: readonly ListedEdits[],
  outlines: Outlines,
  signal: AbortSignal | undefined,
): Promise<void> {
  const missing = missingOutlines(listed, outlines);
  if (missing.length === 0) return;
  const git = new BlobReader(root);
  const stop = () => git.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    throwIfCancelled(signal, 'Indexing');
    const read = mapWindow(missing, ASKED_FOR, async ({ blob, language }) => {
      return { blob, language, bytes: (await git.read(blob))?.bytes };
    });
    for await (const { blob, language, bytes } of read)
      if (bytes) outlines.put(blob, language, outlineOf(language, bytes.toString('utf8')));
  } catch {
    throwIfCancelled(signal, 'Indexing');
    // Commits whose outlines are missing are read without; what keeps git from that is told then.
  } finally {
    signal?.removeEventListener('abort', stop);
    git.close();
  }
}

function missingOutlines(listed: readonly ListedEdits[], outlines: Outlines) {
  const missing: { blob: string; language: Language }[] = [];
  /** Which there are, where an edit took or made one. */
  const there = new Map<string, boolean>();
  for (const { files } of listed) {
    // Files that moved are listed as one that is gone and one that is new.
    const mayHaveMoved = files.some(({ after }) => after === null);
    for (const { path, before, after } of files) {
      const language = languageOf(path);
      if (!language) continue;
      const isShown = before === null && !mayHaveMoved;
      if (after && !isShown) {
        if (!(there.get(outlineKey(after, language)) ?? outlines.has(after, language)))
          missing.push({ blob: after, language });
        there.set(outlineKey(after, language), false);
      }
      if (before) there.set(outlineKey(before, language), true);
    }
  }
  return missing;
}
