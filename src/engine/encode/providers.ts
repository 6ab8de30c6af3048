import { LocusError } from '../../shared/errors.ts';
import type { Device } from './types.ts';

export interface Provider {
  /** What onnxruntime runs on, first choice first. */
  readonly executionProviders: readonly string[];
  /** The manifest's file for it: float for GPUs, which have no use for int8 weights. */
  readonly file: 'cpu' | 'gpu';
  readonly platforms: readonly NodeJS.Platform[];
  /** How many times a CPU's batch it takes at once. */
  readonly batchFactor: number;
}

const DESKTOPS: readonly NodeJS.Platform[] = ['linux', 'darwin', 'win32'];

/** A device, by onnxruntime's name for it. */
export type DeviceName = Exclude<Device, 'auto'>;

/** What runs on each device; GPUs in the order in which `auto` tries them. */
export const PROVIDERS: Readonly<Record<DeviceName, Provider>> = Object.freeze({
  cuda: {
    executionProviders: ['cuda'],
    file: 'gpu',
    platforms: ['linux', 'win32'],
    batchFactor: 8,
  },
  dml: { executionProviders: ['dml'], file: 'gpu', platforms: ['win32'], batchFactor: 8 },
  coreml: { executionProviders: ['coreml'], file: 'gpu', platforms: ['darwin'], batchFactor: 8 },
  webgpu: { executionProviders: ['webgpu'], file: 'gpu', platforms: DESKTOPS, batchFactor: 8 },
  cpu: { executionProviders: ['cpu'], file: 'cpu', platforms: DESKTOPS, batchFactor: 1 },
});

/** What `--device` may say. */
const DEVICES: readonly Device[] = ['auto', 'cpu', 'webgpu', 'cuda', 'dml', 'coreml'];

/** @throws LocusError `device` that names the choices */
export function parseDevice(name: string): Device {
  const device = DEVICES.find((known) => known === name);
  if (device) return device;
  throw new LocusError(
    'device',
    `There is no device "${name}"`,
    `Choose one of ${DEVICES.join(', ')}.`,
  );
}

/** In the order in which to try them. */
export function gpusOfThisPlatform(): DeviceName[] {
  const names = Object.keys(PROVIDERS) as DeviceName[];
  return names.filter((name) => name !== 'cpu' && isOfThisPlatform(name));
}

export function isOfThisPlatform(device: DeviceName): boolean {
  return PROVIDERS[device].platforms.includes(process.platform);
}
