import { resultOf } from '../../../shared/desktop.ts';
import type { ExportedList, ExportFormat } from '../../../shared/lists.ts';
import type { SearchRequest } from '../../../shared/search.ts';
import { useAnswer } from '../../platform/answer.ts';
import { desktop } from '../../platform/host.ts';
import { useApp } from '../../platform/state.ts';
import type { ShownChunk } from '../results/index.ts';
import { requestShown, saveIssue, useFilters, useResponse, useSearch } from '../search/index.ts';

export interface ExportChoice {
  format: ExportFormat;
  /** These, under the ranks that the screen has. */
  shown: ShownChunk[];
  /** True to apply the filters; marked chunks are exported regardless of them. */
  filtered: boolean;
  code: boolean;
  links: boolean;
  tokens: number;
}

/** Taken anew whenever the list is another. */
function useRequestShown(): SearchRequest | null {
  useResponse();
  useFilters();
  return requestShown();
}

const AFTER_TYPING_MS = 120;

/** Returns the file as it would be saved; the one before stays until the next is there. */
export function usePreview({ filtered, ...chosen }: ExportChoice) {
  const repository = useApp((state) => state.repository?.id);
  const issue = useSearch((state) => state.issue.id);
  // The screen shows the answer to this, marks and filters included.
  const shown = useRequestShown();
  const { paths, kinds, packages, ...unfiltered } = shown ?? {};
  const request = filtered ? shown : shown && { ...unfiltered, issue: shown.issue };
  const asked = repository && request ? { repository, issue, request, ...chosen } : null;
  return useAnswer('list.export', asked, { afterMs: AFTER_TYPING_MS, before: saveIssue });
}

/** Saves with the system's dialog if there is one, else as a download. Returns a message for the user; null if cancelled. */
export async function saveList({
  fileName,
  mediaType,
  text,
}: ExportedList): Promise<string | null> {
  if (desktop) {
    const path = await resultOf(desktop.saveFile({ name: fileName, text }));
    return path && `Saved as ${path}`;
  }
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return `Downloaded as ${fileName}`;
}
