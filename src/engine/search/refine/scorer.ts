import type { EncoderDocument } from '../../encode/types.ts';
import type { Issue } from '../../issue/issue.ts';
import type { Evident } from '../signals/signal.ts';

/**
 * A model that reads the first results of a list and gives each a value, one more signal by which the list is then
 * ranked again. One file each; `scorers.ts` lists them.
 */
export interface Scorer {
  /** What its values are to the ranker, and what a person is told of them. */
  readonly signal: Evident;
  /** The model's id and version: `coret-1 1.0.0`. */
  readonly model: string;
  /**
   * Loads the model, so that the time of a reading is all spent on reading.
   * @throws LocusError `bad-model` or `device`
   */
  load(): Promise<void>;
  /**
   * Values of documents in their order, a batch at a time: between two, whoever reads may stop.
   * @throws LocusError `bad-model` or `device`
   */
  read(issue: Issue, documents: readonly EncoderDocument[]): AsyncIterator<readonly number[]>;
  /** Says where what is made in advance is kept: in the folder of an index, or nowhere new where that may only be read. */
  keepIn?(directory: string, readOnly: boolean): void;
  /**
   * Makes in advance, and keeps, what reading documents takes, a batch of them after the other.
   * @param areAll whether these are all documents that there are: what was made for others may then be let go of
   * @param onBatch told after each how many documents it had, and how many of these had to be read
   * @returns false where another process is doing so, or nothing may be written
   * @throws LocusError `bad-model`, `device`, `bad-store`; what the batches throw
   */
  prepare?(
    batches: AsyncIterable<readonly EncoderDocument[]>,
    areAll: boolean,
    onBatch: (documents: number, read: number) => void,
  ): Promise<boolean>;
  /** Unloads the model. */
  close(): Promise<void>;
}
