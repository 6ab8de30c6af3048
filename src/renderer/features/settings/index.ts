/** Names of devices, which the status bar shows, too. */
export { getDeviceTitle, listSelectableDevices } from './device-names.ts';
