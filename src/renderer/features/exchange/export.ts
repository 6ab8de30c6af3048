import { unwrapAnswer } from '../../../shared/desktop.ts';
import type { ExportedList, ExportFormat } from '../../../shared/lists.ts';
import type { SearchRequest } from '../../../shared/search.ts';
import { useAnswer } from '../../platform/answer.ts';
import { desktop } from '../../platform/host.ts';
import { useApp } from '../../platform/state.ts';
import { useListCheck } from '../check/index.ts';
import type { ShownChunk } from '../results/index.ts';
import { getRequest, saveIssue, useFilters, useResponse, useSearch } from '../search/index.ts';

export interface ExportDialogOptions {
  format: ExportFormat;
  /** Results to export, with the ranks that are on the screen. */
  shown: ShownChunk[];
  /** True to apply the filters. False for marked chunks, which are exported regardless of them. */
  filtered: boolean;
  code: boolean;
  links: boolean;
  tokens: number;
}

/** Returns the request of the list that is shown, and updates it whenever the list or the filters change. */
function useRequestShown(): SearchRequest | null {
  useResponse();
  useFilters();
  return getRequest();
}

/** Returns the file as it would be saved. The previous file is returned until the next one arrives. */
export function useExportPreview({ filtered, ...chosen }: ExportDialogOptions) {
  const repository = useApp((state) => state.repository?.id);
  const issue = useSearch((state) => state.issue.id);
  // Includes the marks and filters that the list on the screen depends on.
  const shownRequest = useRequestShown();
  const { paths, kinds, packages, ...unfiltered } = shownRequest ?? {};
  const request = filtered
    ? shownRequest
    : shownRequest && { ...unfiltered, issue: shownRequest.issue };
  const check = useListCheck();
  const params =
    repository && request
      ? { repository, issue, request, ...chosen, ...(check && { check }) }
      : null;
  return useAnswer('list.export', params, { before: saveIssue });
}

/** Saves with the system's dialog if there is one, otherwise as a download. Returns a message for the user; null if canceled. */
export async function saveList({
  fileName,
  mediaType,
  text,
}: ExportedList): Promise<string | null> {
  if (desktop) {
    const path = await unwrapAnswer(desktop.saveFile({ name: fileName, text }));
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
