/** Pane with the issue in an editor. */
export { revealInIssue } from './reveal.ts';
