import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../scripts/browsers.ts';
import { animate } from './pictures/animation.ts';
import type { Frame } from './pictures/frame.ts';
import { shrinkPng } from './pictures/png.ts';

const ADDRESS = 'https://animation.test/';
const HOLD = 4000;

let browser: Browser;
before(async () => {
  browser = await launchChromium();
});
after(() => browser.close());

/** Returns a frame: a white page with a square. Its caption is empty, so the strip below is blank. */
async function draw(page: Page, at: number, square: string): Promise<Frame> {
  await page.setContent(`<body style="margin:0"><div style="position:absolute;${square}">`);
  const png = (await page.screenshot()).toString('base64');
  return { png, at, caption: '', pointer: null };
}

/** Decodes an animated picture as a browser shows it. Returns the duration of each frame in milliseconds, and the color of some pixels. */
async function decode(picture: Buffer, pixels: readonly (readonly [number, number])[]) {
  const page = await browser.newPage();
  await page.route(`${ADDRESS}**`, (route) =>
    route.request().url() === ADDRESS
      ? route.fulfill({ body: '<p>', contentType: 'text/html' })
      : route.fulfill({ body: picture, contentType: 'image/webp' }),
  );
  await page.goto(ADDRESS);
  const decoded = await page.evaluate(async (points) => {
    const data = await (await fetch('picture.webp')).arrayBuffer();
    const decoder = new ImageDecoder({ data, type: 'image/webp' });
    await decoder.tracks.ready;
    const track = decoder.tracks.selectedTrack!;
    const frames = [];
    for (let frameIndex = 0; frameIndex < track.frameCount; frameIndex += 1) {
      const { image } = await decoder.decode({ frameIndex });
      const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const colors = points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].join());
      frames.push({ milliseconds: (image.duration ?? 0) / 1000, colors });
    }
    return { repeats: track.repetitionCount === Number.POSITIVE_INFINITY, frames };
  }, pixels);
  await page.close();
  return decoded;
}

test('an animated picture shows every frame whole, for its time, again and again', async () => {
  const page = await browser.newPage({ viewport: { width: 101, height: 61 } });
  const red = 'left:11px;top:7px;width:9px;height:9px;background:rgb(200,0,0)';
  const blue = 'left:51px;top:31px;width:9px;height:9px;background:rgb(0,0,200)';
  const frames = [
    await draw(page, 1000, ''),
    await draw(page, 1400, red),
    await draw(page, 2000, red), // Nothing changes: the frame before is shown for longer.
    await draw(page, 2600, blue),
  ];
  await page.close();
  const { repeats, frames: shown } = await decode(await animate(browser, frames, HOLD), [
    [12, 8],
    [52, 32],
  ]);
  const [white, first, second] = ['255,255,255,255', '200,0,0,255', '0,0,200,255'];
  assert.ok(repeats);
  assert.deepEqual(shown, [
    { milliseconds: 400, colors: [white, white] },
    { milliseconds: 1200, colors: [first, white] },
    { milliseconds: HOLD, colors: [white, second] },
  ]);
});

/** Compares two PNG pictures: the number of colors of each, and the largest difference of a channel, of 255. */
async function compare(before: Buffer, after: Buffer) {
  const page = await browser.newPage();
  const pngs = [before, after].map((png) => png.toString('base64'));
  const compared = await page.evaluate(async ([first, second]) => {
    const read = async (png: string) => {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, bitmap.width, bitmap.height);
    };
    const pictures = [await read(first), await read(second)];
    const [old, now] = pictures.map(({ data }) => data);
    return {
      sizes: pictures.map(({ width, height }) => `${width} × ${height}`),
      colors: pictures.map(({ data }) => new Set(new Uint32Array(data.buffer)).size),
      difference: old.reduce((most, value, at) => Math.max(most, Math.abs(value - now[at])), 0),
    };
  }, pngs);
  await page.close();
  return compared;
}

test('a picture with few colors becomes smaller, and stays as it is', async () => {
  const page = await browser.newPage({ viewport: { width: 301, height: 201 } });
  await page.setContent('<body style="margin:0;background:#123456"><h1 style="color:#eee">Locus');
  const png = await page.screenshot();
  await page.close();
  const small = await shrinkPng(browser, png);
  const { sizes, difference } = await compare(png, small);
  assert.deepEqual(sizes, ['301 × 201', '301 × 201']);
  assert.equal(difference, 0);
  assert.ok(small.length < png.length, `${small.length} bytes of ${png.length}`);
});

test('a picture keeps its 256 most frequent colors, and each other one becomes the nearest', async () => {
  const page = await browser.newPage({ viewport: { width: 256, height: 40 } });
  await page.setContent('<canvas width="256" height="40" style="position:absolute;inset:0">');
  await page.evaluate(() => {
    const context = document.querySelector('canvas')!.getContext('2d')!;
    for (let red = 0; red < 256; red += 1) {
      context.fillStyle = `rgb(${red}, 0, 0)`;
      context.fillRect(red, 0, 1, 39);
      context.fillStyle = `rgb(${red}, 1, 0)`; // Rare, and next to the color above it.
      context.fillRect(red, 39, 1, 1);
    }
  });
  const png = await page.screenshot();
  await page.close();
  const { colors, difference } = await compare(png, await shrinkPng(browser, png));
  assert.deepEqual(colors, [512, 256]);
  assert.equal(difference, 1);
});
