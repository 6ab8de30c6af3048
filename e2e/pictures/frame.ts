/** Functions that run in a page of Chromium, one after the other for each frame of a recording. They share state by its `globalThis`. */

/** A picture of the window at a moment, in milliseconds, with the caption below it and the pointer over it. */
export interface Frame {
  readonly png: string;
  readonly at: number;
  readonly caption: string;
  readonly pointer: { readonly x: number; readonly y: number } | null;
}

/** The pixels that differ from the frame before: a still WebP picture in base64, at an even offset. */
export interface Patch {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly webp: string;
}

/** Pixels of the last two frames. */
interface FrameStore {
  before?: ImageData | undefined;
  now?: ImageData;
}

/** Draws a frame. */
export async function drawFrame({ png, caption, pointer }: Frame): Promise<void> {
  const STRIP = 46;
  // Colors are rounded to multiples of this. The difference is hard to see, and a frame has half the size.
  const STEP = 8;
  const store = globalThis as FrameStore;
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height + STRIP).getContext('2d')!;
  context.drawImage(picture, 0, 0);
  context.fillStyle = '#1d1f2b';
  context.fillRect(0, height, width, STRIP);
  context.fillStyle = '#ffffff';
  context.font = '600 19px Inter, system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(caption, width / 2, height + STRIP / 2);
  if (pointer) {
    const arrow = new Path2D('M0 0 L0 19 L5 15 L8 22 L11.5 20.5 L8.5 14 L14.5 13.5 Z');
    context.translate(pointer.x, pointer.y);
    context.fillStyle = '#000000';
    context.fill(arrow);
    context.strokeStyle = '#ffffff';
    context.lineWidth = 1.5;
    context.stroke(arrow);
  }
  const now = context.getImageData(0, 0, width, height + STRIP);
  for (let index = 0; index < now.data.length; index += 1) {
    now.data[index] = Math.round(now.data[index] / STEP) * STEP; // 256 is stored as 255.
  }
  store.before = store.now;
  store.now = now;
}

/** Returns what the drawn frame changes, or null if nothing. */
export async function compressChange(): Promise<Patch | null> {
  const { before, now } = globalThis as FrameStore;
  if (!now) throw new Error('No frame is drawn.');
  const { width, height } = now;
  const old = before && new Uint32Array(before.data.buffer);
  const pixels = new Uint32Array(now.data.slice().buffer);
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let index = 0; index < pixels.length; index += 1) {
    if (old && old[index] === pixels[index]) {
      pixels[index] = 0; // Transparent: the frame before stays.
      continue;
    }
    const [x, y] = [index % width, Math.floor(index / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  if (right === 0) return null;
  [left, top] = [left - (left % 2), top - (top % 2)];
  const canvas = new OffscreenCanvas(right - left, bottom - top);
  const changed = new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
  canvas.getContext('2d')!.putImageData(changed, -left, -top);
  // The quality 1 means without loss.
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 1 });
  const webp = new Uint8Array(await blob.arrayBuffer()).toBase64();
  return { x: left, y: top, width: canvas.width, height: canvas.height, webp };
}
