/** What the export dialog asks of the engine, and where the text goes. */
import { useEffect, useMemo, useState } from 'react';
import type { ChunkAddress } from '../../../shared/address.ts';
import { resultOf } from '../../../shared/desktop.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { ExportedList, ExportFormat } from '../../../shared/lists.ts';
import type { MarkedChunk } from '../../../shared/marks.ts';
import { engine } from '../../platform/client.ts';
import { desktop } from '../../platform/host.ts';
import { isCancelled, useApp } from '../../platform/state.ts';
import { refineShown, saveIssue, useIssue, useMarks } from '../search/index.ts';

export interface ExportChoice {
  format: ExportFormat;
  /** These chunks, or the best so many. */
  chunks: ChunkAddress[] | null;
  top: number;
  code: boolean;
}

/** Chunks to act on: to be edited or worth reading, as they are now. */
export function useMarked(): MarkedChunk[] {
  const marks = useMarks((state) => state.marks);
  return useMemo(
    () => Array.from(marks.values()).filter(({ mark }) => mark !== 'irrelevant'),
    [marks],
  );
}

interface Preview {
  list: ExportedList | null;
  failure: Failure | null;
  /** False while the list is still that of an earlier choice, which must not be taken for this one. */
  current: boolean;
}

const AFTER_TYPING_MS = 120;

/** The file as it would be saved; the one before stays until the next is there. */
export function usePreview(choice: ExportChoice): Preview {
  const repository = useApp((state) => state.repository?.id);
  const tests = useApp((state) => state.settings?.tests);
  const { id: issue, text } = useIssue();
  const [preview, setPreview] = useState<Omit<Preview, 'current'> & { asked: string | null }>({
    list: null,
    failure: null,
    asked: null,
  });
  const asked = JSON.stringify(choice);
  useEffect(() => {
    if (!repository) return;
    const { format, chunks, top, code } = JSON.parse(asked) as ExportChoice;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        await saveIssue();
        const list = await engine.call(
          'list.export',
          {
            repository,
            format,
            request: { issue: text, limit: top, tests, refine: refineShown() },
            issue,
            ...(chunks && { chunks }),
            code,
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
  }, [repository, asked, issue, text, tests]);
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
