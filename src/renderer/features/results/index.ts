/** The list as shown on the screen, for export and posting. */
export { type ShownChunk, useBest, useMarkedToActOn } from './shown-rows.ts';
