/** How the three panes stand, by the room that there is for them. */

/** `columns`: side by side. `stacked`: the list below the issue, the code beside both. `single`: one at a time. */
export type Arrangement = 'columns' | 'stacked' | 'single';

/** Width and height of a window in rem, which grow less as its text grows. */
export function arrangementOf(width: number, height: number): Arrangement {
  if (width >= 70) return 'columns';
  return width >= 54 && height >= 40 ? 'stacked' : 'single';
}
