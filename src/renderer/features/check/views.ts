/** Views in the list and above it, loaded together. */
export { CheckBar } from './CheckBar.tsx';
export { CheckButton } from './CheckButton.tsx';
export { CheckedLine } from './CheckedLine.tsx';
