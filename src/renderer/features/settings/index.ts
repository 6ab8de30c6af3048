/** Names of devices, which the status bar shows, too. */
export { devicesFor, deviceTitle } from './names.ts';
