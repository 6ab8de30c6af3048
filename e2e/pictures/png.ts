/** Makes pictures of the window small: a PNG file with at most 256 colors has less than half the size, and looks the same. */
import { crc32, deflateSync } from 'node:zlib';
import type { Browser } from 'playwright-core';

/** A picture as indexes, in base64, into a palette of colors, which are red + 256 green + 65536 blue. */
interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly number[];
  readonly indexes: string;
}

/** Returns a PNG picture without transparency as one with its 256 most frequent colors; each other color becomes the nearest of them. */
export async function shrinkPng(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const picture = await page.evaluate(reduceColors, png.toString('base64'));
  await page.close();
  return writePng(picture);
}

/** Runs in a page. */
async function reduceColors(png: string): Promise<IndexedPicture> {
  const MAX_COLORS = 256;
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const colors = [...counts].toSorted(([, a], [, b]) => b - a).map(([color]) => color & 0xffffff);
  const palette = colors.slice(0, MAX_COLORS);

  const getDistance = (a: number, b: number) =>
    [0, 8, 16].reduce((sum, bits) => sum + (((a >> bits) & 255) - ((b >> bits) & 255)) ** 2, 0);
  const indexByColor = new Map(palette.map((color, index) => [color, index]));
  for (const color of colors.slice(MAX_COLORS)) {
    const distances = palette.map((other) => getDistance(color, other));
    indexByColor.set(color, distances.indexOf(Math.min(...distances)));
  }
  const indexes = Uint8Array.from(pixels, (pixel) => indexByColor.get(pixel & 0xffffff)!);
  return { width, height, palette, indexes: indexes.toBase64() };
}

function writePng({ width, height, palette, indexes }: IndexedPicture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // Bits of an index, and the color type: a palette.
  const pixels = Buffer.from(indexes, 'base64');
  const rows = Buffer.alloc((width + 1) * height); // Each row begins with 0: no filter.
  for (let row = 0; row < height; row += 1)
    pixels.copy(rows, row * (width + 1) + 1, row * width, (row + 1) * width);
  const colors = palette.flatMap((color) => [color & 255, (color >> 8) & 255, color >> 16]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colors)),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
