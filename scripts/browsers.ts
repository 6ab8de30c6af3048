/**
 * Finds the browsers that the end-to-end tests drive, and installs Debian's packages if they are missing and the user
 * is root: `node scripts/browsers.ts` prints their paths.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { installOnDebian } from './debian.ts';

interface BrowserSpec {
  name: string;
  /** Environment variable that overrides the path. */
  variable: string;
  /** Paths to try. */
  places: readonly string[];
  debianPackage: string;
}

const CHROMIUM: BrowserSpec = {
  name: 'Chromium',
  variable: 'LOCUS_CHROMIUM',
  // The headless shell first: it draws the same pages with a quarter less work.
  places: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    chromium.executablePath(),
  ],
  debianPackage: 'chromium-headless-shell',
};
const FIREFOX: BrowserSpec = {
  name: 'Firefox',
  variable: 'LOCUS_FIREFOX',
  places: [
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ],
  debianPackage: 'firefox-esr',
};

/**
 * Returns the path of a Chromium: `LOCUS_CHROMIUM`, the system's, or Playwright's.
 * @throws Error with a remedy if no Chromium is installed.
 */
const findChromium = (): string => findBrowser(CHROMIUM);

/** Starts a headless Chromium. */
export const launchChromium = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    // Chromium's own sandbox does not work for root, as whom containers run.
    args: [...args, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });

/**
 * Returns the path of a Firefox: `LOCUS_FIREFOX` or the system's.
 * @throws Error with a remedy if no Firefox is installed.
 */
export const findFirefox = (): string => findBrowser(FIREFOX);

function findBrowser({ name, variable, places, debianPackage }: BrowserSpec): string {
  const given = process.env[variable];
  const found = (given ? [given] : places).find((path) => existsSync(path));
  if (found) return found;
  const looked = given ? ` at ${variable}=${given}` : '';
  throw new Error(
    `no ${name} found${looked}: install one (apt install ${debianPackage}), or name it in ${variable}`,
  );
}

/** Returns the browser's path, and installs the browser if it is missing. @throws the error of `find` if that fails too */
function ensureBrowser(wanted: BrowserSpec): string {
  try {
    return findBrowser(wanted);
  } catch (missing) {
    if (process.env[wanted.variable]) throw missing;
    try {
      installOnDebian(wanted.debianPackage);
    } catch {
      throw missing;
    }
    return findBrowser(wanted);
  }
}

if (import.meta.filename === process.argv[1]) {
  try {
    for (const wanted of [CHROMIUM, FIREFOX]) console.log(ensureBrowser(wanted));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
