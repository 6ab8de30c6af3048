/** The list as it is on the screen, for whatever hands it on. */
export { type ShownChunk, useBest, useMarkedToActOn } from './shown-rows.ts';
