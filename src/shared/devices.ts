/** Devices that a model can run on. */

/** Devices by onnxruntime's names, in the order in which `auto` tries them. */
export const DEVICES = ['cuda', 'dml', 'coreml', 'webgpu', 'cpu'] as const;
export type DeviceName = (typeof DEVICES)[number];

export const DEVICE_CHOICES = ['auto', ...DEVICES] as const;
export type Device = (typeof DEVICE_CHOICES)[number];

interface DeviceTraits {
  title: string;
  /** Operating systems that may have the device, by Node's names. */
  platforms: readonly string[];
  /** True if it works best with float weights instead of int8, and with large batches. */
  isGpu: boolean;
}

const DESKTOPS = ['linux', 'darwin', 'win32'];

export const DEVICE_TRAITS: Readonly<Record<DeviceName, DeviceTraits>> = {
  cuda: { title: 'GPU (CUDA, NVIDIA)', platforms: ['linux', 'win32'], isGpu: true },
  dml: { title: 'GPU (DirectML, Windows)', platforms: ['win32'], isGpu: true },
  coreml: { title: 'GPU (Core ML, macOS)', platforms: ['darwin'], isGpu: true },
  webgpu: { title: 'GPU (WebGPU)', platforms: DESKTOPS, isGpu: true },
  cpu: { title: 'CPU', platforms: DESKTOPS, isGpu: false },
};

export function listDevices(platform: string): DeviceName[] {
  return DEVICES.filter((device) => DEVICE_TRAITS[device].platforms.includes(platform));
}
