/** Names of devices for the settings and the details of the index. */
import {
  DEVICE_CHOICES,
  DEVICE_TRAITS,
  type Device,
  listDevices,
} from '../../../shared/devices.ts';

export function getDeviceTitle(device: Device): string {
  return device === 'auto' ? 'Fastest available' : DEVICE_TRAITS[device].title;
}

/** Returns the devices that a machine of this platform can have, and the current setting. */
export function listSelectableDevices(platform: string, current: Device): Device[] {
  const possible: Device[] = ['auto', ...listDevices(platform)];
  return DEVICE_CHOICES.filter((device) => device === current || possible.includes(device));
}
