/**
 * Assembles WebAssembly functions byte by byte. JavaScript has no SIMD, and the kernels here are too small to need a compiler.
 * Numbers in instructions are below 128, so each takes one byte. SIMD instructions have the prefix 0xfd (WebAssembly core
 * specification 2.0, chapter 5.4).
 */

/** Memory that a kernel reads and writes. After it grows, by pages of 64 KiB, it has a new `buffer`. */
export interface KernelMemory<Buffer extends ArrayBufferLike = ArrayBuffer> {
  readonly buffer: Buffer;
  grow(pages: number): number;
}

/** Memory that several threads share, each with a kernel of its own. */
export type SharedMemory = KernelMemory<SharedArrayBuffer>;

/** The parts of WebAssembly's API that are used here. TypeScript has its types only in the DOM library. */
declare const WebAssembly: {
  Memory: {
    new (limits: { initial: number }): KernelMemory;
    new (limits: { initial: number; maximum: number; shared: true }): SharedMemory;
  };
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { exports: { kernel: unknown } };
};

export const I32 = 0x7f;
export const F32 = 0x7d;
export const V128 = 0x7b;
type Type = typeof I32 | typeof F32 | typeof V128;

const END = 0x0b;
export const get = (local: number) => [0x20, local];
export const set = (local: number) => [0x21, local];
export const tee = (local: number) => [0x22, local];
/** Adds a number of bytes below 8,192 to a local variable. */
export const advance = (local: number, bytes: number) => [
  ...get(local),
  ...[0x41, (bytes & 127) | 128, bytes >>> 7],
  0x6a,
];
export const loop = (...body: number[][]) => [0x03, 0x40, ...body.flat(), END];
/** Repeats the innermost loop while the two i32 on the stack differ. */
export const REPEAT_IF_DIFFERENT = [0x47, 0x0d, 0];
export const load = (local: number, offset: number) => [...get(local), 0xfd, 0, 4, offset];
/** Loads eight signed bytes as eight numbers of 16 bits. */
export const loadWidened = (local: number, offset: number) => [...get(local), 0xfd, 1, 3, offset];

/** Maximum number of pages of a shared memory: 2 GiB. It never moves, so this address space is reserved. */
const MAX_PAGES = 32_768;

export function createSharedMemory(): SharedMemory {
  return new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
}

/**
 * Creates a function without a result, and its own memory of one page.
 * @param parameters types of the parameters, which are the first local variables
 * @param locals types of the other local variables
 */
export function createKernel<Kernel>(
  parameters: readonly Type[],
  locals: readonly Type[],
  body: readonly number[],
): { memory: KernelMemory; kernel: Kernel } {
  const memory = new WebAssembly.Memory({ initial: 1 });
  return { memory, kernel: instantiate(parameters, locals, body, memory, [0x00, 1]) };
}

/** Creates a function without a result in an existing memory. */
export function createKernelIn<Kernel>(
  parameters: readonly Type[],
  locals: readonly Type[],
  body: readonly number[],
  memory: SharedMemory,
): Kernel {
  return instantiate(parameters, locals, body, memory, [0x03, 1, ...encodeSize(MAX_PAGES)]);
}

function instantiate<Kernel>(
  parameters: readonly Type[],
  locals: readonly Type[],
  body: readonly number[],
  memory: object,
  limits: readonly number[],
): Kernel {
  const module = new WebAssembly.Module(encodeModule(parameters, locals, body, limits));
  const instance = new WebAssembly.Instance(module, { host: { memory } });
  return instance.exports.kernel as Kernel;
}

/** Encodes a module that imports `host.memory` and exports the function as `kernel`. */
function encodeModule(
  parameters: readonly Type[],
  locals: readonly Type[],
  body: readonly number[],
  limits: readonly number[],
): Uint8Array<ArrayBuffer> {
  const code = [locals.length, ...locals.flatMap((type) => [1, type]), ...body, END];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...encodeSection(1, [1, 0x60, parameters.length, ...parameters, 0]),
    ...encodeSection(2, [1, ...encodeText('host'), ...encodeText('memory'), 0x02, ...limits]),
    ...encodeSection(3, [1, 0]), // one function, of type 0
    ...encodeSection(7, [1, ...encodeText('kernel'), 0x00, 0]),
    ...encodeSection(10, [1, ...encodeSize(code.length), ...code]),
  ]);
}

function encodeSection(id: number, content: number[]): number[] {
  return [id, ...encodeSize(content.length), ...content];
}

function encodeText(name: string): number[] {
  return [name.length, ...new TextEncoder().encode(name)];
}

/** Encodes an unsigned number as LEB128. */
function encodeSize(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encodeSize(value >>> 7)];
}
