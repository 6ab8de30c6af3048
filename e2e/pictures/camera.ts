/** Saves pictures of the window to docs/screenshots. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import { shrinkPng } from './png.ts';

/** Folder of the pictures. */
export const PICTURES = join(import.meta.dirname, '../../docs/screenshots');

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Returns the options of a window for pictures. */
export const optionsFor = (colorScheme: Theme) => ({
  colorScheme,
  deviceScaleFactor: 2,
  viewport: { width: 1440, height: 900 },
});

/** Saves a picture of a page, or of a part of it, when it has come to rest. */
export async function takePicture(
  page: Page,
  name: string,
  clip?: PageScreenshotOptions['clip'],
): Promise<void> {
  await page.waitForTimeout(400);
  const png = await page.screenshot({ animations: 'disabled', clip });
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser.');
  writeFileSync(join(PICTURES, `${name}.png`), await shrinkPng(browser, png));
}
