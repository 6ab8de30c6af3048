/** The issue in its editor. */
export { revealInIssue } from './reveal.ts';
