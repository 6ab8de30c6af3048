/** Folder dialog, for hosts that have none. */
export { FolderPicker } from './FolderPicker.tsx';
