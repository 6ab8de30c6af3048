/** Motion of the list and the tree: animates rows when a reranked list is applied, and restores the scroll position. */
import type { VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Stop } from '../../platform/lifetime.ts';
import { wantsMotion } from '../../ui/theme.ts';
import { registerViewState } from '../preview/index.ts';
import { useSearch } from '../search/index.ts';

const MOTION: KeyframeAnimationOptions = { duration: 250, easing: 'ease-in-out' };

/**
 * Animates visible rows from their old to their new position when a reranked list is applied, unless the user prefers reduced
 * motion. Rows are identified by keys, since React may reuse or move their elements.
 */
export function useRowMotion(
  list: RefObject<HTMLElement | null>,
  shown: readonly VirtualItem[],
): void {
  const moves = useSearch((state) => state.moves);
  const before = useRef({ moves, starts: new Map<unknown, number>() });
  useLayoutEffect(() => {
    const { moves: movesBefore, starts } = before.current;
    before.current = { moves, starts: new Map(shown.map(({ key, start }) => [key, start])) };
    if (moves === movesBefore || !wantsMotion()) return;
    for (const row of list.current?.querySelectorAll<HTMLElement>('[data-key]') ?? []) {
      const key = row.dataset.key;
      const now = before.current.starts.get(key);
      const start = starts.get(key);
      if (now === undefined || start === undefined || now === start) continue;
      row.animate([{ translate: `0 ${start}px` }, { translate: `0 ${now}px` }], MOTION);
    }
  });
}

let shown: HTMLElement | null = null;

export function useListScroll(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = scroller;
    shown = current;
    return () => {
      if (shown === current) shown = null;
    };
  }, [scroller]);
}

export const followScroll = (): Stop =>
  registerViewState(() => {
    const top = shown?.scrollTop ?? 0;
    // Waits until the list has rendered and scrolled to the selected row, then restores the position.
    return () => requestAnimationFrame(() => requestAnimationFrame(() => shown?.scrollTo({ top })));
  });
