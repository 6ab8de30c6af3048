/** What the export dialog asks of the engine, and where the text goes. */
import { useEffect, useState } from 'react';
import { resultOf } from '../../../shared/desktop.ts';
import type { Failure } from '../../../shared/rpc.ts';
import type { EXPORT_FORMATS, ExportedList, MarkedChunk } from '../../../shared/rpc-protocol.ts';
import type { ChunkAddress } from '../../../shared/types.ts';
import { isCancelled, useApp } from '../../app/state.ts';
import { engine } from '../../engine/engine.ts';
import { desktop } from '../../engine/host.ts';
import { saveIssue, useIssue } from '../issue/issue.ts';

export interface ExportChoice {
  format: (typeof EXPORT_FORMATS)[number];
  /** These chunks, or the best so many. */
  chunks: ChunkAddress[] | null;
  top: number;
  code: boolean;
}

/** Chunks to act on: to be edited or worth reading, as they are now. Null while not known. */
export function useMarked(): MarkedChunk[] | null {
  const repository = useApp((state) => state.repository?.id);
  const issue = useIssue((state) => state.id);
  const [marked, setMarked] = useState<MarkedChunk[] | null>(null);
  useEffect(() => {
    if (!repository) return;
    let wanted = true;
    engine.call('marks.list', { repository, issue }).then(
      (all) => wanted && setMarked(all.filter(({ mark }) => mark !== 'irrelevant')),
      () => wanted && setMarked([]),
    );
    return () => {
      wanted = false;
    };
  }, [repository, issue]);
  return marked;
}

interface Preview {
  list: ExportedList | null;
  failure: Failure | null;
  /** False while the list is still that of an earlier choice, which must not be taken for this one. */
  current: boolean;
}

const AFTER_TYPING_MS = 120;

/** The file as it would be saved; the one before stays until the next is there. Null asks for nothing. */
export function usePreview(choice: ExportChoice | null): Preview {
  const repository = useApp((state) => state.repository?.id);
  const tests = useApp((state) => state.settings?.tests);
  const { id: issue, text } = useIssue();
  const [preview, setPreview] = useState<Omit<Preview, 'current'> & { asked: string | null }>({
    list: null,
    failure: null,
    asked: null,
  });
  const asked = choice && JSON.stringify(choice);
  useEffect(() => {
    if (!repository || !asked) return;
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
            request: { issue: text, limit: top, tests },
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
