/** The outcome of an attempt, and the file in which finished attempts are kept. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { ResumeFile } from '../../src/services/evaluation/resume-file.ts';
import { ARMS } from './tools.ts';

const outcome = z.object({
  instance: z.string(),
  repo: z.string(),
  arm: z.enum(ARMS),
  ending: z.enum(['answered', 'failed', 'timed out']),
  /** Addresses of the functions that the fix edits. */
  edited: z.array(z.string()),
  /** Functions that the agent named, in its order, and those that it edited. */
  named: z.array(z.string()),
  changed: z.array(z.string()),
  /** Rank of each function in `edited`, from 1; null if the agent did not find it. */
  ranks: z.array(z.int().min(1).nullable()),
  /** Number of commands and tool calls, and the bytes that they returned. */
  calls: z.int(),
  bytes: z.int(),
  /** Number of calls by tool. */
  tools: z.record(z.string(), z.int()),
  tokens: z.number().nullable(),
  seconds: z.number(),
});
export type Outcome = z.output<typeof outcome>;

/** Opens the file with finished attempts. @param options everything that can change an outcome */
export function openOutcomes(file: string, options: unknown): ResumeFile<Outcome> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return new ResumeFile(file, text, options, {
    command: 'agent-trial',
    item: outcome,
    getSystem: () => undefined,
  });
}
