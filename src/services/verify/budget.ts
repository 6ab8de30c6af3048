import { grouped } from '../../shared/grouped.ts';
import type { VerifierUse } from '../../shared/verifier.ts';
import { EndpointFailure } from './failure.ts';

/** Counts what was sent in one verification, and refuses what would be too much. */
export class Budget {
  readonly most: VerifierUse;
  readonly used: VerifierUse = { requests: 0, characters: 0 };

  readonly #onSpend: (used: VerifierUse) => void;

  /** @param onSpend told before each request of all that was sent, this one included. */
  constructor(most: VerifierUse, onSpend: (used: VerifierUse) => void) {
    this.most = most;
    this.#onSpend = onSpend;
  }

  /** Whether a request of this size is still within it. */
  allows(characters: number): boolean {
    const { used, most } = this;
    return used.requests < most.requests && used.characters + characters <= most.characters;
  }

  /** @throws EndpointFailure when it is used up. */
  spend(characters: number): void {
    if (!this.allows(characters)) {
      const { requests, characters: most } = this.most;
      throw new EndpointFailure(
        `the budget of ${requests} requests and ${grouped(most)} characters is used up`,
        'raise it in the settings of the verifier, or send fewer results',
      );
    }
    this.used.requests++;
    this.used.characters += characters;
    this.#onSpend({ ...this.used });
  }
}
