/**
 * Draws resources/icon.png from resources/icon.svg with a Chromium: `node scripts/icon.ts [path of the program]`.
 * electron-builder converts the picture to each platform's format.
 */
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const SIZE = 1024;
const svg = readFileSync(new URL('../resources/icon.svg', import.meta.url), 'utf8');
const executablePath = process.argv[2] ?? process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath });
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  await page.setContent(
    `<style>body { margin: 0; background: none } svg { display: block; width: ${SIZE}px }</style>${svg}`,
  );
  const path = new URL('../resources/icon.png', import.meta.url).pathname;
  await page.screenshot({ path, omitBackground: true });
} finally {
  await browser.close();
}
