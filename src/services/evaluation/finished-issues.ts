/** The finished issues of an evaluation, each written when it is done, so that an interrupted evaluation continues. */

import { z } from 'zod';
import type { EvaluationInstance } from './dataset.ts';
import type { FinishedIssue } from './evaluate.ts';
import { FILE_READINGS } from './file-ranks.ts';
import { ResumeFile, type ResumeFileFormat } from './resume-file.ts';

const issue = { instance: z.string(), repo: z.string() };
const rank = z.int().min(1).nullable();
const ranks = z.array(rank).min(1);
const item = z.looseObject({
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

const FORMAT: ResumeFileFormat<FinishedIssue> = {
  command: 'locus eval',
  item: item as unknown as z.ZodType<FinishedIssue>,
  getSystem: ({ outcome }) => ('system' in outcome ? outcome.system : undefined),
};

export class FinishedIssues {
  readonly #file: ResumeFile<FinishedIssue>;

  /** See `ResumeFile`. */
  constructor(path: string, text: string, options: unknown) {
    this.#file = new ResumeFile(path, text, options, FORMAT);
  }

  find(instance: EvaluationInstance): FinishedIssue | null {
    return this.#file.find(instance);
  }

  /** Adds an issue, unless the reason why it was skipped may change. See `ResumeFile`. */
  add(instance: EvaluationInstance, { outcome, edited }: FinishedIssue): void {
    if ('reason' in outcome && outcome.reason !== 'no edited chunk') return;
    this.#file.add(instance, { outcome, edited });
  }
}
