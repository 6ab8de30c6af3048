/** The finished commits of a measurement, so that an interrupted one continues. */
import { z } from 'zod';
import type { FixCandidate } from '../../engine/index.ts';
import { ResumeFile, type ResumeFileFormat } from '../evaluation/resume-file.ts';
import type { BenchOutcome } from './bench.ts';

const ranks = z.array(z.int().min(1).nullable()).min(1);
const item = z.union([
  z.looseObject({
    fix: z.looseObject({
      commit: z.string(),
      time: z.number(),
      title: z.string(),
      system: z.string(),
      edited: z.array(z.string()),
      paths: z.array(z.string()).min(1),
      packages: z.array(z.string()),
      initial: ranks,
      reranked: ranks.nullable(),
    }),
  }),
  z.looseObject({
    reason: z.enum(['no chunk edited', 'too many chunks', 'short message', 'formatting only']),
  }),
]);

const FORMAT: ResumeFileFormat<BenchOutcome> = {
  command: 'locus bench',
  item: item as unknown as z.ZodType<BenchOutcome>,
  getSystem: (outcome) => ('fix' in outcome ? outcome.fix.system : undefined),
};

export class FinishedFixes {
  readonly #file: ResumeFile<BenchOutcome>;

  /** See `ResumeFile`. */
  constructor(path: string, text: string, options: unknown) {
    this.#file = new ResumeFile(path, text, options, FORMAT);
  }

  find(candidate: FixCandidate): BenchOutcome | null {
    return this.#file.find(identify(candidate));
  }

  add(candidate: FixCandidate, outcome: BenchOutcome): void {
    this.#file.add(identify(candidate), outcome);
  }
}

const identify = ({ commit, message, isIssue }: FixCandidate) => ['fix', commit, message, isIssue];
