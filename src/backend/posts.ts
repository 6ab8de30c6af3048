import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Environment } from '../base/environment.ts';
import { postComment, postedText } from '../services/post/post.ts';
import { LocusError } from '../shared/errors.ts';
import type { Posted, PostOffer, PostTarget } from '../shared/post.ts';

interface Ticket {
  target: PostTarget;
  posted: Promise<Posted> | null;
}

/**
 * Comments that this engine may post, each once. A window sends a request again when a connection was lost or an engine
 * ended; a ticket that was used answers as it did, and one of an engine that is gone posts nothing.
 */
export class Posts {
  readonly #env: Environment;
  /** More than anybody types on the way to an issue. */
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
   * Not ended with the connection that asked: whether the comment is there would then not be known.
   * @throws LocusError (as rejection) as `postComment`, and `not-posted` for a ticket that is not of this engine.
   */
  async post(id: string, text: string): Promise<Posted> {
    const ticket = this.#tickets.get(id);
    if (!ticket) {
      throw new LocusError(
        'not-posted',
        'the engine was started again meanwhile',
        'look whether the comment is there before you post again',
      );
    }
    ticket.posted ??= postComment(ticket.target, postedText(text), { env: this.#env });
    return ticket.posted;
  }
}
