/** Navigation in the preview: to a line, to a definition, and back. */
export { provideDefinitions } from './definition.ts';
export { jump, keepView, revealLine, step, useTravel } from './history.ts';
export { cursorLine } from './view.ts';
