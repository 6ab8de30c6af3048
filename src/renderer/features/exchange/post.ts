import type { Failure } from '../../../shared/errors.ts';
import type { PostOffer } from '../../../shared/post.ts';
import { useAnswer } from '../../platform/answer.ts';
import { engine } from '../../platform/client.ts';
import { useApp } from '../../platform/state.ts';

const AFTER_TYPING_MS = 250;

/**
 * Returns the issue that the text of the field names; neither target nor failure while that is unknown.
 * @param attempt another one gets a ticket of its own: each posts once.
 */
export function useTarget(typed: string, attempt: number) {
  const repository = useApp((state) => state.repository?.id);
  const issue = typed.trim();
  const asked = repository && issue !== '' ? { repository, issue } : null;
  const options = { afterMs: AFTER_TYPING_MS, again: attempt };
  const { answer, failure, isCurrent } = useAnswer('post.target', asked, options);
  return isCurrent ? { target: answer, failure } : {};
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
