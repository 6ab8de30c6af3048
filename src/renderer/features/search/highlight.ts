/**
 * Highlights what a reason refers to, in the issue and in the code, while the pointer is on the reason. The engine provides the
 * spans and words, and locates the words with the same normalization as search.
 */

import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { IssueSpan, Reason } from '../../../shared/evidence.ts';
import type { IssueReport } from '../../../shared/search.ts';

export interface HighlightedReason {
  chunk: Pick<ChunkSummary, 'address' | 'name'>;
  reason: Reason;
}

/** Reason to highlight. An increase of `revealCount` scrolls the highlight into view. */
export const useHighlight = create<{ highlighted: HighlightedReason | null; revealCount: number }>(
  () => ({
    highlighted: null,
    revealCount: 0,
  }),
);

/** Highlights what a reason refers to; null removes the highlight. */
export const highlightReason = (reason: HighlightedReason | null): void =>
  useHighlight.setState({ highlighted: reason });

/** Highlights what a reason refers to, and scrolls it into view in the issue and in the code. */
export function revealReason(reason: HighlightedReason): void {
  useHighlight.setState(({ revealCount }) => ({
    highlighted: reason,
    revealCount: revealCount + 1,
  }));
}

/** Highlight in the issue: words, only within the spans if there are any; the spans themselves if there are no words. */
export interface IssueHighlight {
  words: string[];
  spans: readonly IssueSpan[];
}

export function findIssueHighlight({
  reason: { words = [], spans = [] },
}: HighlightedReason): IssueHighlight {
  return { words: [...new Set(words.map(({ word, of }) => of ?? word))], spans };
}

/**
 * Highlight in the code: words in the chunk, its header or its whole file, and lines that the issue names, in tracebacks or
 * directly.
 */
export interface CodeHighlight {
  words: string[];
  within: 'chunk' | 'header' | 'file';
  lines: number[];
}

export function findCodeHighlight(
  { chunk, reason }: HighlightedReason,
  { frames, paths }: Pick<IssueReport, 'frames' | 'paths'>,
): CodeHighlight {
  const { family, words = [], spans = [] } = reason;
  const hasSpan = (start: number, end: number) =>
    spans.some((span) => span.start === start && span.end === end);
  const frameLines = frames
    .filter(({ address, start, end }) => address === chunk.address && hasSpan(start, end))
    .map(({ line }) => line);
  const namedLines = paths
    .filter(({ start, end }) => hasSpan(start, end))
    .flatMap(({ lines }) => (lines?.addresses.includes(chunk.address) ? listLines(lines) : []));
  const lines = [...frameLines, ...namedLines];
  if (family === 'names') {
    const own = words.length > 0 ? words.map(({ word }) => word) : [chunk.name];
    return { words: own, within: 'header', lines };
  }
  return {
    words: words.map(({ word }) => word),
    within: family === 'location' ? 'file' : 'chunk',
    lines,
  };
}

const listLines = ({ first, last }: { first: number; last: number }): number[] =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n);

/**
 * Returns handlers that highlight a reason while the pointer is on it. The highlight is also removed on unmount, since no
 * pointer event is fired if the element disappears.
 */
export function useHighlightOnHover(reason: HighlightedReason): {
  onPointerEnter(): void;
  onPointerLeave(): void;
} {
  const isPointed = useRef(false);
  const point = (isOver: boolean) => {
    isPointed.current = isOver;
    highlightReason(isOver ? reason : null);
  };
  useEffect(
    () => () => {
      if (isPointed.current) highlightReason(null);
    },
    [],
  );
  return { onPointerEnter: () => point(true), onPointerLeave: () => point(false) };
}
