/** The list as shown on the screen, for export and posting. */
export { countMarks } from './marked.ts';
export { type ShownChunk, useBest, useMarkedToActOn } from './shown-rows.ts';
