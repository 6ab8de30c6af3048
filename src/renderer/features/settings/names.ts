/** Settings in words; the status bar uses the same. */
import { DEVICE_CHOICES, DEVICE_TRAITS, type Device, devicesOf } from '../../../shared/devices.ts';

export function deviceTitle(device: Device): string {
  return device === 'auto' ? 'The fastest there is' : DEVICE_TRAITS[device].title;
}

/** Devices that this kind of machine can have, and the one that is set. */
export function devicesFor(platform: string, set: Device): Device[] {
  const here: Device[] = ['auto', ...devicesOf(platform)];
  return DEVICE_CHOICES.filter((device) => device === set || here.includes(device));
}
