/** Settings in words; the status bar uses the same. */
import type { Settings } from '../../../shared/settings.ts';

export const DEVICE_NAMES: Record<Settings['device'], string> = {
  auto: 'The fastest there is',
  cpu: 'CPU',
  webgpu: 'GPU (WebGPU)',
  cuda: 'GPU (CUDA, NVIDIA)',
  dml: 'GPU (DirectML, Windows)',
  coreml: 'GPU (Core ML, macOS)',
};

const PLATFORM_OF: Partial<Record<Settings['device'], string[]>> = {
  cuda: ['linux', 'win32'],
  dml: ['win32'],
  coreml: ['darwin'],
};

/** Devices that this kind of machine can have, and the one that is set. */
export function devicesFor(platform: string, set: Settings['device']): Settings['device'][] {
  return (Object.keys(DEVICE_NAMES) as Settings['device'][]).filter(
    (device) => device === set || (PLATFORM_OF[device]?.includes(platform) ?? true),
  );
}
