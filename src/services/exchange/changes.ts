/** How the code of imported entries differs from what it was when the list was made. */
import { type DiffHunk, diffCode, placedCode } from '../../shared/code-diff.ts';
import type { Answering } from '../../shared/repository.ts';
import type { AnchoredEntry } from './import.ts';

/** Null where nothing changed, or the chunk is gone; `without code` where the list has none to compare with. */
export type Change = DiffHunk[] | 'without code' | null;

/** The change of an entry, as far as the list tells what its code was. */
export async function changeOf(
  repository: Answering,
  { entry, state, now }: AnchoredEntry,
): Promise<Change> {
  if (!now || !state.endsWith('changed')) return null;
  if (entry.code === undefined) return 'without code';
  const shown = await repository.show({ chunk: now.address });
  return diffCode(placedCode(entry.code, entry), placedCode(shown.code, shown));
}
