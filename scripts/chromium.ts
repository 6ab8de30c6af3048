/**
 * Finds the Chromium that the end-to-end tests drive, and installs Debian's where there is none and that is
 * possible (as root): `node scripts/chromium.ts` prints its path.
 */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { installOnDebian } from './debian.ts';

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The path of a Chromium: `LOCUS_CHROMIUM`, the system's, or the one that Playwright has downloaded.
 * @throws Error when there is none, saying what to do.
 */
export function findChromium(): string {
  const { LOCUS_CHROMIUM } = process.env;
  const candidates = LOCUS_CHROMIUM ? [LOCUS_CHROMIUM] : [...SYSTEM, chromium.executablePath()];
  const found = candidates.find((path) => existsSync(path));
  if (found) return found;
  const looked = LOCUS_CHROMIUM ? ` at LOCUS_CHROMIUM=${LOCUS_CHROMIUM}` : '';
  throw new Error(
    `no Chromium found${looked}: install one (apt install chromium), or name it in LOCUS_CHROMIUM`,
  );
}

if (import.meta.filename === process.argv[1]) {
  try {
    findChromium();
  } catch (error) {
    try {
      if (process.env.LOCUS_CHROMIUM) throw error;
      installOnDebian('chromium');
    } catch {
      console.error((error as Error).message);
      process.exit(1);
    }
  }
  console.log(findChromium());
}
