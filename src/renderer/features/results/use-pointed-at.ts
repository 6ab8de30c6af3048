/** Lighting up what a reason speaks of, for whatever says the reason. */
import { useEffect, useRef } from 'react';
import { type Lit, lightUp } from '../search/index.ts';

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
