import { throwIfCancelled } from '../../base/cancel.ts';
import { findLanguage } from '../languages/index.ts';
import type { Language } from '../languages/language.ts';
import { BlobReader } from '../source/blob-reader.ts';
import { mapWindow } from '../source/map-window.ts';
import type { ListedEdits } from './listed-edits.ts';
import { createOutline, formatOutlineKey, type OutlineCache } from './outline.ts';

/** Number of blobs that are requested from git at a time. */
const MAX_REQUESTED = 32;

/**
 * Adds the outlines of files after these edits that cannot be derived from later commits. Unreadable files stay missing.
 * Rejects with LocusError `cancelled`.
 * @param listed commits, newest first
 */
export async function readMissingOutlines(
  root: string,
  listed: readonly ListedEdits[],
  outlines: OutlineCache,
  signal: AbortSignal | undefined,
): Promise<void> {
  const missing = findMissingOutlines(listed, outlines);
  if (missing.length === 0) return;
  const git = new BlobReader(root);
  const stop = () => git.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    throwIfCancelled(signal, 'Indexing');
    const read = mapWindow(missing, MAX_REQUESTED, async ({ blob, language }) => {
      return { blob, language, bytes: (await git.read(blob))?.bytes };
    });
    for await (const { blob, language, bytes } of read)
      if (bytes) outlines.put(blob, language, createOutline(language, bytes.toString('utf8')));
  } catch {
    throwIfCancelled(signal, 'Indexing');
    // Commits without outlines are read with whole files later; if git still fails, that is reported then.
  } finally {
    signal?.removeEventListener('abort', stop);
    git.close();
  }
}

function findMissingOutlines(listed: readonly ListedEdits[], outlines: OutlineCache) {
  const missing: { blob: string; language: Language }[] = [];
  /** True for outlines that an edit has created so far, false for those that one has used. */
  const available = new Map<string, boolean>();
  for (const { files } of listed) {
    // A moved file is listed as a deleted one and a new one.
    const mayHaveMoved = files.some(({ after }) => after === null);
    for (const { path, before, after } of files) {
      const language = findLanguage(path);
      if (!language) continue;
      const isShown = before === null && !mayHaveMoved;
      if (after && !isShown) {
        if (!(available.get(formatOutlineKey(after, language)) ?? outlines.has(after, language)))
          missing.push({ blob: after, language });
        available.set(formatOutlineKey(after, language), false);
      }
      if (before) available.set(formatOutlineKey(before, language), true);
    }
  }
  return missing;
}
