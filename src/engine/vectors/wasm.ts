/**
 * WebAssembly functions put together byte by byte: JavaScript has no SIMD of its own, and the kernels here are too little
 * code for a compiler. Numbers in instructions are below 128, so that one byte holds each; SIMD instructions have the
 * prefix 0xfd (WebAssembly core specification 2.0, chapter 5.4).
 */

/** Memory that a kernel reads and writes. Growing it by pages of 64 KiB gives it a new `buffer`. */
export interface KernelMemory<Buffer extends ArrayBufferLike = ArrayBuffer> {
  readonly buffer: Buffer;
  grow(pages: number): number;
}

/** Memory that several threads have, each with a kernel of its own. */
export type SharedMemory = KernelMemory<SharedArrayBuffer>;

/** What is used of WebAssembly's API here; TypeScript has its types only together with the DOM's. */
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
/** The local plus a number of bytes below 8,192. */
export const advance = (local: number, bytes: number) => [
  ...get(local),
  ...[0x41, (bytes & 127) | 128, bytes >>> 7],
  0x6a,
];
export const loop = (...body: number[][]) => [0x03, 0x40, ...body.flat(), END];
/** Repeats the innermost loop while the two i32 on the stack differ. */
export const REPEAT_IF_DIFFERENT = [0x47, 0x0d, 0];
export const load = (local: number, offset: number) => [...get(local), 0xfd, 0, 4, offset];
/** Eight signed bytes as eight numbers of 16 bits. */
export const loadWidened = (local: number, offset: number) => [...get(local), 0xfd, 1, 3, offset];

/** Pages that a shared memory can grow to, 2 GiB: it is never moved, so that its addresses are kept free for it. */
const MOST_PAGES = 32_768;

export function sharedMemory(): SharedMemory {
  return new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES, shared: true });
}

/**
 * A function without a result, with a memory of its own, of one page at first.
 * @param parameters types of the parameters, which are the first local variables
 * @param locals types of the other local variables
 */
export function kernelOf<Kernel>(
  parameters: readonly Type[],
  locals: readonly Type[],
  body: readonly number[],
): { memory: KernelMemory; kernel: Kernel } {
  const memory = new WebAssembly.Memory({ initial: 1 });
  return { memory, kernel: instanceOf(parameters, locals, body, memory, [0x00, 1]) };
}

/** The same in a memory that is there. */
export function kernelIn<Kernel>(
  parameters: readonly Type[],
  locals: readonly Type[],
  body: readonly number[],
  memory: SharedMemory,
): Kernel {
  return instanceOf(parameters, locals, body, memory, [0x03, 1, ...size(MOST_PAGES)]);
}

function instanceOf<Kernel>(
  parameters: readonly Type[],
  locals: readonly Type[],
  body: readonly number[],
  memory: object,
  limits: readonly number[],
): Kernel {
  const module = new WebAssembly.Module(moduleBytes(parameters, locals, body, limits));
  const instance = new WebAssembly.Instance(module, { host: { memory } });
  return instance.exports.kernel as Kernel;
}

/** The module: imports `host.memory`, exports the function as `kernel`. */
function moduleBytes(
  parameters: readonly Type[],
  locals: readonly Type[],
  body: readonly number[],
  limits: readonly number[],
): Uint8Array<ArrayBuffer> {
  const code = [locals.length, ...locals.flatMap((type) => [1, type]), ...body, END];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, parameters.length, ...parameters, 0]),
    ...section(2, [1, ...text('host'), ...text('memory'), 0x02, ...limits]),
    ...section(3, [1, 0]), // one function, of type 0
    ...section(7, [1, ...text('kernel'), 0x00, 0]),
    ...section(10, [1, ...size(code.length), ...code]),
  ]);
}

function section(id: number, content: number[]): number[] {
  return [id, ...size(content.length), ...content];
}

function text(name: string): number[] {
  return [name.length, ...new TextEncoder().encode(name)];
}

/** An unsigned number in LEB128. */
function size(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...size(value >>> 7)];
}
