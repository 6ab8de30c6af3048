/** A file with the finished issues of an evaluation, each written when it is done, so that an interrupted evaluation continues. */

import { hash } from 'node:crypto';
import { appendFileSync, truncateSync } from 'node:fs';
import { z } from 'zod';
import { badInput, type LocusError } from '../../shared/errors.ts';
import { quoteName } from '../../shared/quote.ts';
import { VERSION } from '../../shared/version.ts';
import { type EvaluationInstance, parseJsonLines } from './dataset.ts';
import type { FinishedIssue } from './evaluate.ts';
import { FILE_READINGS } from './file-ranks.ts';

const issue = { instance: z.string(), repo: z.string() };
const rank = z.int().min(1).nullable();
const ranks = z.array(rank).min(1);
const line = z.object({
  setup: z.string(),
  /** Digest of the issue, its commit and its fix. */
  issue: z.string(),
  outcome: z.union([
    z.looseObject({
      ...issue,
      system: z.string(),
      chunks: z.number(),
      edited: z.array(z.string()),
      ranks: z.object({ chunk: ranks, class: ranks, file: ranks }),
      seconds: z.object({ index: z.number(), search: z.number() }),
    }),
    z.object({ ...issue, reason: z.literal('no edited chunk') }),
  ]),
  edited: z
    .looseObject({
      ...issue,
      files: z.array(z.object({ path: z.string(), reading: z.enum(FILE_READINGS), rank })),
    })
    .nullable(),
});

export class FinishedIssues {
  readonly #path: string;
  readonly #setup: string;
  readonly #finished = new Map<string, FinishedIssue>();
  #system: string | null = null;

  /**
   * @param text content of the file. Its last line is ignored if it was cut off.
   * @param options everything that can change a result besides the issue
   * @throws LocusError `bad-input` if the file is something else, or cannot be written to, or if its issues were evaluated otherwise
   */
  constructor(path: string, text: string, options: unknown) {
    this.#path = path;
    this.#setup = hash('sha256', JSON.stringify([VERSION, options]));
    const end = text.lastIndexOf('\n') + 1;
    const rest = text.slice(end);
    const whole = rest.startsWith(START) || START.startsWith(rest) ? text.slice(0, end) : text;
    for (const row of parseJsonLines(whole, path, line, REMEDY)) {
      if (row.setup !== this.#setup) throw createMixedError(path);
      this.#keep(row.issue, row as unknown as FinishedIssue);
    }
    this.#write(() => {
      appendFileSync(path, '');
      if (whole !== text) truncateSync(path, Buffer.byteLength(whole));
    });
  }

  find(instance: EvaluationInstance): FinishedIssue | null {
    return this.#finished.get(getKey(instance)) ?? null;
  }

  /**
   * Adds an issue, unless the reason why it was skipped may change.
   * @throws LocusError `bad-input` if the file cannot be written to, or if its issues were evaluated by other models
   */
  add(instance: EvaluationInstance, { outcome, edited }: FinishedIssue): void {
    if ('reason' in outcome && outcome.reason !== 'no edited chunk') return;
    const key = getKey(instance);
    this.#keep(key, { outcome, edited });
    const row = { setup: this.#setup, issue: key, outcome, edited };
    this.#write(() => appendFileSync(this.#path, `${JSON.stringify(row)}\n`));
  }

  #keep(key: string, finished: FinishedIssue): void {
    const { outcome } = finished;
    if ('system' in outcome) {
      this.#system ??= outcome.system;
      if (outcome.system !== this.#system) throw createMixedError(this.#path);
    }
    this.#finished.set(key, finished);
  }

  #write(write: () => void): void {
    try {
      write();
    } catch (cause) {
      const reason = (cause as Error).message.split(',')[0];
      throw badInput(`Cannot write to ${this.#path}: ${reason}.`, 'Name another file.', { cause });
    }
  }
}

/** Beginning of each line. */
const START = '{"setup":"';
const REMEDY = 'Give a file that locus eval --resume wrote, or a new one.';

const createMixedError = (path: string): LocusError =>
  badInput(
    `The issues in ${quoteName(path)} were evaluated with another version, model or option.`,
    'Use the same ones, or name a new file.',
  );

const getKey = (instance: EvaluationInstance): string => hash('sha256', JSON.stringify(instance));
