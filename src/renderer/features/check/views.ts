/** Views above the list, loaded together. */
export { CheckBar } from './CheckBar.tsx';
export { CheckButton } from './CheckButton.tsx';
