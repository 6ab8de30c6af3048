/**
 * What a reason speaks of, in the issue and in the code: it lights up on both sides while the reason is pointed at. All of it is
 * what the engine found; of words it says the places as well, read as search reads them.
 */

import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { IssueSpan, Reason } from '../../../shared/evidence.ts';
import type { IssueReport } from '../../../shared/search.ts';

export interface Lit {
  chunk: Pick<ChunkSummary, 'address' | 'name'>;
  reason: Reason;
}

/** `revealed` rises when what is lit is to be brought into view. */
export const useLit = create<{ lit: Lit | null; revealed: number }>(() => ({
  lit: null,
  revealed: 0,
}));

/** Lights up what a reason speaks of; null ends it. */
export const lightUp = (lit: Lit | null): void => useLit.setState({ lit });

/** The same, and brings it into view on both sides. */
export function revealLit(lit: Lit): void {
  useLit.setState(({ revealed }) => ({ lit, revealed: revealed + 1 }));
}

/** Parts of the issue: words, within the spans if there are some, or else the spans themselves. */
export interface LitInIssue {
  words: string[];
  spans: readonly IssueSpan[];
}

export function litInIssue({ reason: { words = [], spans = [] } }: Lit): LitInIssue {
  return { words: [...new Set(words.map(({ word, of }) => of ?? word))], spans };
}

/**
 * Of the code: words in the chunk, its header or all of its file; and lines that are frames of the issue's tracebacks, or that it
 * points at.
 */
export interface LitInCode {
  words: string[];
  within: 'chunk' | 'header' | 'file';
  lines: number[];
}

export function litInCode(
  { chunk, reason }: Lit,
  { frames, paths }: Pick<IssueReport, 'frames' | 'paths'>,
): LitInCode {
  const { family, words = [], spans = [] } = reason;
  const has = (start: number, end: number) =>
    spans.some((span) => span.start === start && span.end === end);
  const passed = frames
    .filter(({ address, start, end }) => address === chunk.address && has(start, end))
    .map(({ line }) => line);
  const named = paths
    .filter(({ start, end }) => has(start, end))
    .flatMap(({ lines }) => (lines?.addresses.includes(chunk.address) ? linesIn(lines) : []));
  const lines = [...passed, ...named];
  if (family === 'names') {
    const own = words.length > 0 ? words.map(({ word }) => word) : [chunk.name];
    return { words: own, within: 'header', lines };
  }
  return {
    words: words.map(({ word }) => word),
    within: family === 'place' ? 'file' : 'chunk',
    lines,
  };
}

const linesIn = ({ first, last }: { first: number; last: number }): number[] =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n);

/**
 * Handlers that light it up from the moment that it is pointed at, until the pointer leaves or what was pointed at is gone: no
 * event tells of a pointer that leaves with the list.
 */
export function usePointedAt(lit: Lit): { onPointerEnter(): void; onPointerLeave(): void } {
  const pointed = useRef(false);
  const point = (at: boolean) => {
    pointed.current = at;
    lightUp(at ? lit : null);
  };
  useEffect(
    () => () => {
      if (pointed.current) lightUp(null);
    },
    [],
  );
  return { onPointerEnter: () => point(true), onPointerLeave: () => point(false) };
}
