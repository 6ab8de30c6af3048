import type { Display, Rectangle } from 'electron';
import type { Remembered } from './memory.ts';

const DEFAULT = { width: 1440, height: 900 };
export const SMALLEST = { width: 800, height: 500 };
/** So much of a window's top edge must be on a display that a pointer can grab it. */
const GRAB = { width: 120, height: 24 };

/**
 * Where a window opens: where it was, if a person could still reach it there, else in the system's default place.
 * It is never larger than the display it is on.
 */
export function placeWindow(
  remembered: Remembered['window'],
  displays: readonly Pick<Display, 'workArea'>[],
): Partial<Rectangle> & { width: number; height: number } {
  const areas = displays.map(({ workArea }) => workArea);
  const area = remembered && areas.find((workArea) => reachable(remembered, workArea));
  if (!remembered || !area) return fit(remembered ?? DEFAULT, areas[0] ?? DEFAULT);
  return { x: remembered.x, y: remembered.y, ...fit(remembered, area) };
}

function reachable(window: Rectangle, area: Rectangle): boolean {
  const overlap =
    Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return (
    overlap >= GRAB.width && window.y >= area.y && window.y + GRAB.height <= area.y + area.height
  );
}

function fit(size: { width: number; height: number }, area: { width: number; height: number }) {
  return {
    width: Math.max(SMALLEST.width, Math.min(size.width, area.width)),
    height: Math.max(SMALLEST.height, Math.min(size.height, area.height)),
  };
}
