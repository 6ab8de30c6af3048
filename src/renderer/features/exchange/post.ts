/** What posting a list to its issue asks of the engine. */
import { useEffect, useState } from 'react';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import type { PostOffer } from '../../../shared/post.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';

/** Whether there is a `gh` to post with. */
export function useGh(): boolean {
  const [isHere, setHere] = useState(false);
  useEffect(() => {
    // Without an answer it is not offered; the window says elsewhere that the engine is gone.
    engine.call('post.gh', {}).then(setHere, () => setHere(false));
  }, []);
  return isHere;
}

interface Resolved {
  /** What it is of. */
  asked: string;
  target: PostOffer | null;
  failure: Failure | null;
}

const NONE: Resolved = { asked: '', target: null, failure: null };
const AFTER_TYPING_MS = 250;

/**
 * What the text of the field stands for; neither target nor failure while that is not known.
 * @param attempt another one gets a ticket of its own: each posts once.
 */
export function useTarget(typed: string, attempt: number): Omit<Resolved, 'asked'> {
  const repository = useApp((state) => state.repository?.id);
  const [resolved, setResolved] = useState(NONE);
  const issue = typed.trim();
  const asked = `${attempt} ${issue}`;
  useEffect(() => {
    if (!repository || issue === '') return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const target = await engine.call('post.target', { repository, issue }, controller);
        setResolved({ asked, target, failure: null });
      } catch (error) {
        if (!isCancelled(error)) setResolved({ asked, target: null, failure: error as Failure });
      }
    }, AFTER_TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [repository, issue, asked]);
  return resolved.asked === asked ? resolved : NONE;
}

export type Posting =
  | { state: 'no' | 'busy' }
  | { state: 'done'; url: string }
  | { state: 'failed'; failure: Failure };

/** Posts just this text to just this issue; answers what came of it. */
export async function post({ ticket }: PostOffer, text: string): Promise<Posting> {
  try {
    const { url } = await engine.call('post.run', { ticket, text });
    return { state: 'done', url };
  } catch (error) {
    return { state: 'failed', failure: error as Failure };
  }
}
