import { LocusError } from '../../../shared/errors.ts';
import type { Refinement } from '../../../shared/search.ts';
import type { EncoderDocument } from '../../encode/types.ts';
import type { Found } from '../search.ts';
import { readInOrder } from './read.ts';
import { firstSlots, refined } from './refined.ts';
import type { Scorer } from './scorer.ts';

/** What a request allows, see `searchRequest`. */
export interface ReadingBudget {
  read: number;
  milliseconds: number;
}

/** What there is to read, or why nothing is. */
export type Plan = { slots: number[]; pending: Refinement } | { refused: Refinement };

/** The second step of searches in one repository. Whatever is missing or fails, the first list stands. */
export class SecondStep {
  readonly #scorers: readonly Scorer[];
  readonly #problem: string | null;

  /** @param problem why a model that is there cannot be used */
  constructor(scorers: readonly Scorer[], problem: string | null = null) {
    this.#scorers = scorers;
    this.#problem = problem;
  }

  /** Ids and versions of the models that read. */
  get models(): string[] {
    return this.#scorers.map(({ model }) => model);
  }

  /** @param partial whether not everything could rank in the first list yet */
  plan(found: Found, partial: boolean, { read }: ReadingBudget): Plan {
    const slots = firstSlots(found, read);
    const of = slots.length;
    const refuse = (state: Refinement['state'], note: string | null) => ({
      refused: this.#outcome(state, { of, note }),
    });
    if (read === 0) return refuse('off', null);
    if (this.#problem) return refuse('failed', this.#problem);
    if (this.#scorers.length === 0) return refuse('missing', null);
    if (of < 2) return refuse('nothing', null);
    if (partial) return refuse('partial', 'indexing comes first');
    return { slots, pending: this.#outcome('reading', { of }) };
  }

  /**
   * Reads and ranks again.
   * @param documents of the first results of `found`, in the order of the list
   * @param signal ends it between two batches
   * @throws LocusError `cancelled` when the signal aborts
   */
  async refine(
    found: Found,
    documents: readonly EncoderDocument[],
    { milliseconds }: ReadingBudget,
    signal?: AbortSignal,
  ): Promise<{ found: Found; refinement: Refinement }> {
    const start = performance.now();
    const of = documents.length;
    const outcome = (state: Refinement['state'], more: Partial<Refinement> = {}) =>
      this.#outcome(state, { of, milliseconds: performance.now() - start, ...more });
    const edits = editsOf(found);
    try {
      const { read, values } = await readInOrder(this.#scorers, found.read, documents, {
        milliseconds,
        signal,
      });
      if (editsOf(found) !== edits)
        return { found, refinement: outcome('changed', { note: 'the code changed meanwhile' }) };
      if (read < 2) return { found, refinement: outcome('nothing', { note: 'there was no time' }) };
      const columns = this.#scorers.map(({ signal }, i) => ({ signal, values: values[i] ?? [] }));
      const list = refined(found, columns);
      return { found: list, refinement: outcome('refined', { read }) };
    } catch (error) {
      const { code, message } = error as Partial<LocusError>;
      if (!(error instanceof LocusError) || code === 'cancelled') throw error;
      return { found, refinement: outcome('failed', { note: message }) };
    }
  }

  /** Says where what models make in advance is kept, see `Scorer.keepIn`. */
  keepIn(directory: string, readOnly: boolean): void {
    for (const scorer of this.#scorers) scorer.keepIn?.(directory, readOnly);
  }

  /**
   * Has documents read in advance, for all issues to come, so that reading them costs next to nothing; see `Scorer.prepare`.
   * @throws LocusError `bad-model` where no model can
   */
  async prepare(...given: Parameters<NonNullable<Scorer['prepare']>>): Promise<boolean> {
    const scorer = this.#scorers.find(({ prepare }) => prepare);
    if (this.#problem === null && scorer?.prepare) return scorer.prepare(...given);
    throw new LocusError(
      'bad-model',
      this.#problem ?? 'no model is installed that reads functions',
      'see locus doctor',
    );
  }

  /** Unloads the models. */
  async close(): Promise<void> {
    await Promise.all(this.#scorers.map((scorer) => scorer.close()));
  }

  #outcome(state: Refinement['state'], more: Partial<Refinement>): Refinement {
    const models = this.models;
    return { state, read: 0, of: 0, milliseconds: 0, models, note: null, ...more };
  }
}

const editsOf = ({ ranking }: Found): number => ranking?.candidates.index.edits ?? 0;
