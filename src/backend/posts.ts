import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Environment } from '../base/environment.ts';
import { postComment, preparePostText } from '../services/post/post.ts';
import { LocusError } from '../shared/errors.ts';
import type { PostOffer, PostResult, PostTarget } from '../shared/post.ts';

interface Ticket {
  target: PostTarget;
  posted: Promise<PostResult> | null;
}

/**
 * Posts comments, each at most once. A window repeats a request after a lost connection or a restart of the engine. A ticket
 * that was used returns the earlier answer, and a ticket of an earlier engine posts nothing.
 */
export class PostTickets {
  readonly #env: Environment;
  /** Limited to far more offers than a person requests. */
  readonly #tickets = new LRUCache<string, Ticket>({ max: 1000 });

  constructor(env: Environment) {
    this.#env = env;
  }

  offer(target: PostTarget): PostOffer {
    const ticket = randomUUID();
    this.#tickets.set(ticket, { target, posted: null });
    return { ...target, ticket };
  }

  /**
   * Posts the comment of a ticket. This is not cancelled if the window disconnects, because the outcome would be unknown.
   * @throws LocusError (as rejection) as `postComment`, and `not-posted` for a ticket of another engine
   */
  async post(id: string, text: string): Promise<PostResult> {
    const ticket = this.#tickets.get(id);
    if (!ticket) {
      throw new LocusError(
        'not-posted',
        'The engine was restarted in the meantime.',
        'Check if the comment was posted before you post again.',
      );
    }
    ticket.posted ??= postComment(ticket.target, preparePostText(text), { env: this.#env });
    return ticket.posted;
  }
}
