/** Investigation of the issue by an agent: its button, and its steps above the list. */
export { InvestigateBar, InvestigateButton } from './InvestigateBar.tsx';
