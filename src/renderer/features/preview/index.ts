/** The preview of a file: going to a line or a definition in it, and back. */
export { provideDefinitions } from './definition.ts';
export { jump, keepView, revealLine, step, useTravel } from './history.ts';
export { cursorLine } from './view.ts';
