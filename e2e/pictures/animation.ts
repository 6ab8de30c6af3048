/**
 * Writes an animated picture in the WebP format. Chromium compresses each frame, which holds only the pixels that changed; this file
 * puts the frames into one container: https://developers.google.com/speed/webp/docs/riff_container.
 */
import type { Browser } from 'playwright-core';
import { compressChange, drawFrame, type Frame, type Patch } from './frame.ts';

/** A patch, and how long it is shown, in milliseconds. */
interface ShownPatch extends Patch {
  readonly duration: number;
}

const HAS_ALPHA = 0x10;
const HAS_ANIMATION = 0x02;
/** Draws over the frame before, and keeps it where the patch is transparent. */
const BLEND = 0;

/** Returns the bytes of an animated WebP picture that repeats; the last frame is shown for `hold` milliseconds. */
export async function animate(
  browser: Browser,
  frames: readonly Frame[],
  hold: number,
): Promise<Buffer> {
  const page = await browser.newPage();
  const shown: ShownPatch[] = [];
  let size = { width: 0, height: 0 };
  for (const [index, frame] of frames.entries()) {
    await page.evaluate(drawFrame, frame);
    const patch = await page.evaluate(compressChange);
    const duration = Math.round((frames[index + 1]?.at ?? frame.at + hold) - frame.at);
    const last = shown.at(-1);
    if (index === 0 && patch) size = patch;
    if (patch) shown.push({ ...patch, duration });
    else if (last) shown.splice(-1, 1, { ...last, duration: last.duration + duration });
  }
  await page.close();
  return joinPatches(size, shown);
}

/** Returns the container of all patches. */
function joinPatches(
  size: { width: number; height: number },
  patches: readonly ShownPatch[],
): Buffer {
  const header = Buffer.alloc(10);
  header.writeUInt8(HAS_ALPHA | HAS_ANIMATION, 0);
  header.writeUIntLE(size.width - 1, 4, 3);
  header.writeUIntLE(size.height - 1, 7, 3);
  // Six bytes: the color of the background, and the number of repetitions, 0 for no end.
  const chunks = [chunk('VP8X', header), chunk('ANIM', Buffer.alloc(6))];
  for (const patch of patches) {
    const frame = Buffer.alloc(16);
    frame.writeUIntLE(patch.x / 2, 0, 3);
    frame.writeUIntLE(patch.y / 2, 3, 3);
    frame.writeUIntLE(patch.width - 1, 6, 3);
    frame.writeUIntLE(patch.height - 1, 9, 3);
    frame.writeUIntLE(patch.duration, 12, 3);
    frame.writeUInt8(BLEND, 15);
    chunks.push(
      chunk('ANMF', Buffer.concat([frame, findPixels(Buffer.from(patch.webp, 'base64'))])),
    );
  }
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

/** Returns a chunk of the container: a name of four letters, its length, and its content, padded to an even length. */
function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Returns the chunk with the pixels of a still picture. @throws Error if it is not compressed without loss */
function findPixels(webp: Buffer): Buffer {
  for (let at = 12; at < webp.length; ) {
    const length = webp.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (webp.toString('latin1', at, at + 4) === 'VP8L') return webp.subarray(at, end);
    at = end;
  }
  throw new Error('Chromium did not compress a frame without loss.');
}
