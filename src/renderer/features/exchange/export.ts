/** What the export dialog asks of the engine, and where the text goes. */
import { useEffect, useState } from 'react';
import { resultOf } from '../../../shared/desktop.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import type { ExportedList, ExportFormat } from '../../../shared/lists.ts';
import type { SearchRequest } from '../../../shared/search.ts';
import { engine } from '../../platform/client.ts';
import { desktop } from '../../platform/host.ts';
import { useApp } from '../../platform/state.ts';
import type { ShownChunk } from '../results/index.ts';
import { requestShown, saveIssue, useFilters, useResponse, useSearch } from '../search/index.ts';

export interface ExportChoice {
  format: ExportFormat;
  /** These, under the ranks that the screen has. */
  shown: ShownChunk[];
  /** Whether they are those that the filters leave; what is marked goes out whatever they are. */
  filtered: boolean;
  code: boolean;
  links: boolean;
  tokens: number;
}

interface Preview {
  list: ExportedList | null;
  failure: Failure | null;
  /** False while the list is still that of an earlier choice, which must not be taken for this one. */
  current: boolean;
}

interface Asked {
  choice: ExportChoice;
  request: SearchRequest | null;
}

/** Taken anew whenever the list is another. */
function useRequestShown(): SearchRequest | null {
  useResponse();
  useFilters();
  return requestShown();
}

const AFTER_TYPING_MS = 120;

/** The file as it would be saved; the one before stays until the next is there. */
export function usePreview(choice: ExportChoice): Preview {
  const repository = useApp((state) => state.repository?.id);
  const issue = useSearch((state) => state.issue.id);
  // What the screen shows is the answer to this, marks and filters included.
  const request = useRequestShown();
  const [preview, setPreview] = useState<Omit<Preview, 'current'> & { asked: string | null }>({
    list: null,
    failure: null,
    asked: null,
  });
  const asked = JSON.stringify({ choice, request });
  useEffect(() => {
    const { choice, request } = JSON.parse(asked) as Asked;
    if (!repository || !request) return;
    const { filtered, ...chosen } = choice;
    const { paths: _paths, kinds: _kinds, packages: _packages, ...unfiltered } = request;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        await saveIssue();
        const list = await engine.call(
          'list.export',
          {
            repository,
            issue,
            request: filtered ? request : unfiltered,
            ...chosen,
          },
          controller,
        );
        setPreview({ list, failure: null, asked });
      } catch (error) {
        if (!isCancelled(error)) setPreview({ list: null, failure: error as Failure, asked });
      }
    }, AFTER_TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [repository, asked, issue]);
  return { ...preview, current: preview.asked === asked };
}

/** By the system's dialog where there is one, else as a download. Answers what to tell the user; null for cancelled. */
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
