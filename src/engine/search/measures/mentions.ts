/** Definitions and files that the issue names. */
import type { IssueSpan } from '../../../shared/evidence.ts';
import type { Candidates } from '../candidates.ts';
import type { NameMention } from '../mentions/names.ts';
import { isVague, type PathMention } from '../mentions/paths.ts';
import { measureEach } from './candidates.ts';

/** By slot: 1 / root of the number of definitions that share the name that the issue has. */
export function namedSlots({ issue }: Candidates): Map<number, number> {
  const values = new Map<number, number>();
  for (const { slots, definitions } of issue.names) {
    const value = 1 / Math.sqrt(definitions);
    for (const slot of slots) values.set(slot, Math.max(value, values.get(slot) ?? 0));
  }
  return values;
}

export function mentionsOf(slot: number, { issue }: Candidates): NameMention[] {
  return issue.names.filter(({ slots }) => slots.includes(slot));
}

/** Where the issue names this chunk. */
export function spansNaming(slot: number, candidates: Candidates): IssueSpan[] {
  return mentionsOf(slot, candidates).flatMap(({ spans }) => spans);
}

/** 1 where the issue has the chunk's file, by a mention that counts. */
export function measurePaths(
  candidates: Candidates,
  counts: (mention: PathMention) => boolean,
): Float64Array {
  const files = new Set(candidates.issue.paths.filter(counts).flatMap((mention) => mention.files));
  return measureEach(candidates, (chunk) => (files.has(chunk.path) ? 1 : 0));
}

/** The files that the issue names, but for base names that many have, and those that its tracebacks go through. */
export function filesPointedAt({ issue, index }: Candidates): Set<string> {
  const named = issue.paths.flatMap((mention) => (isVague(mention) ? [] : mention.files));
  const passed = issue.frames.flatMap(({ slot }) => (slot < 0 ? [] : index.chunk(slot).path));
  return new Set([...named, ...passed]);
}

export function pathSpans(
  slot: number,
  { index, issue }: Candidates,
  counts: (mention: PathMention) => boolean,
): IssueSpan[] {
  const { path } = index.chunk(slot);
  return issue.paths
    .filter((mention) => counts(mention) && mention.files.includes(path))
    .map(({ span }) => span);
}

/** The first of these places of the issue as a sentence quotes it. */
export function quoted(spans: readonly IssueSpan[], otherwise: string): string {
  return spans[0] ? `\`${spans[0].text.replaceAll('`', '')}\`` : otherwise;
}
