/** How far the list, or the tree, is scrolled: a place that comes back has it as it was. */
import { type RefObject, useEffect } from 'react';
import { keepView } from '../preview/index.ts';

let shown: HTMLElement | null = null;

/** Tells which element scrolls. */
export function useListScroll(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = scroller;
    shown = current;
    return () => {
      if (shown === current) shown = null;
    };
  }, [scroller]);
}

keepView(() => {
  const top = shown?.scrollTop ?? 0;
  // The row that comes to be selected is scrolled to first, once it is drawn.
  return () => requestAnimationFrame(() => requestAnimationFrame(() => shown?.scrollTo({ top })));
});
