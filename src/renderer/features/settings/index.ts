/** Settings in words, as other views show them, too. */
export { DEVICE_NAMES, devicesFor } from './names.ts';
