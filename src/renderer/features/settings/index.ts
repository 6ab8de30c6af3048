/** Settings in words, as other views show them, too. */
export { devicesFor, deviceTitle } from './names.ts';
