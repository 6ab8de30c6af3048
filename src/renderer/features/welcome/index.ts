/** The choice of a folder, for hosts without a dialog of their own. */
export { FolderPicker } from './FolderPicker.tsx';
