/** Who changed the line of the cursor last, asked of git once the cursor rests. */
import { useEffect, useState } from 'react';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import type { Blame } from '../../../shared/history.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';
import { useCursorLine, usePreview } from './view.ts';

/** Milliseconds: git is not started for lines that the cursor passes. */
const REST_MS = 250;

export interface LineBlame {
  line: number;
  /** Null while git is asked. */
  answer: Blame | { failure: Failure } | null;
}

/** Null while no file is shown. */
export function useBlame(): LineBlame | null {
  const repository = useApp((state) => state.repository?.id);
  const file = usePreview((state) => state.file);
  const line = useCursorLine();
  const [known, setKnown] = useState<LineBlame | null>(null);
  useEffect(() => {
    if (!repository || !file || line === null) return setKnown(null);
    const controller = new AbortController();
    const { signal } = controller;
    setKnown({ line, answer: null });
    const request = { path: file.path, line };
    const timer = setTimeout(() => {
      engine.call('blame', { repository, request }, { signal }).then(
        (answer) => !signal.aborted && setKnown({ line, answer }),
        (failure: Failure) => {
          if (!signal.aborted && !isCancelled(failure)) setKnown({ line, answer: { failure } });
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [repository, file, line]);
  return known;
}
