/** Navigation in the preview: to a line, to a definition, and back; and to the editor. */
export { registerDefinitionSource } from './definition.ts';
export { jumpToChunk, registerViewState, revealLine, useTravel, visit } from './history.ts';
export { getCursorLine, openInEditor } from './view.ts';
