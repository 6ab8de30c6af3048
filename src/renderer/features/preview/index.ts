/** The preview of a file: going to a line or a definition in it, and back. */
export { provideDefinitions } from './definition.ts';
export { jump, keepView, step, useTravel } from './history.ts';
export { revealLine } from './reveal.ts';
export { cursorLine } from './view.ts';
