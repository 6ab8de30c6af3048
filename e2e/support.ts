/** Runs the app as users do: the built pages in a real Chromium, served by the browser host with the real engine. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { type Browser, type BrowserContextOptions, firefox, type Page } from 'playwright-core';
import { findFirefox, launchChromium } from '../scripts/browsers.ts';
import { type RunningServer, startServer } from '../src/server/server.ts';
import { TOKEN_KEY } from '../src/shared/app-page.ts';
import type { EngineMethods } from '../src/shared/rpc/methods.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { endTraces, keepTraces, trace } from './traces.ts';

/** Options of a window. `hash` is its initial address; `complaint` matches errors that its console may print. */
export interface WindowOptions extends BrowserContextOptions {
  hash?: string;
  complaint?: RegExp;
}

export interface Stage {
  server: RunningServer;
  browser: Browser;
  /** Opens a window. Errors on its console fail the test. */
  open(options?: WindowOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Starts Debian's Firefox, over WebDriver BiDi. */
export const launchFirefox = (): Promise<Browser> =>
  firefox.launch({
    channel: 'moz-firefox',
    executablePath: join(import.meta.dirname, 'firefox-relay.ts'),
    env: {
      ...process.env,
      LOCUS_FIREFOX_RELAYED: findFirefox(),
      // The relay runs on the same Node as the tests.
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    },
  });

/**
 * Starts a server with a data directory of its own, and a browser. `root` is the only folder that can be opened; `furnish` prepares
 * the data directory.
 */
export async function setStage(
  root: string,
  furnish: (dataDir: string) => void = () => {},
  launch: () => Promise<Browser> = launchChromium,
): Promise<Stage> {
  const dataDir = temporaryFolder('locus-e2e-');
  furnish(dataDir);
  const { LOCUS_OUT } = process.env;
  const rendererFolder = LOCUS_OUT && resolve(LOCUS_OUT, 'renderer');
  const server = await startServer({ port: 0, dataDir, allowedRoot: root, rendererFolder });
  const browser = await launch();
  const complaints = new Set<string>();
  return {
    server,
    browser,
    async open({ hash = '', complaint, ...options } = {}) {
      const { origin, searchParams } = new URL(server.url);
      const token = { name: TOKEN_KEY, value: searchParams.get('token') ?? '' };
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        // A page that is closed while it loads reports aborted requests.
        ...(hash && {
          storageState: { cookies: [], origins: [{ origin, localStorage: [token] }] },
        }),
        ...options,
      });
      await trace(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.add(String(error)));
      page.on('console', (message) => {
        const isExpected = complaint?.test(message.text());
        if (message.type() === 'error' && !isExpected) complaints.add(message.text());
      });
      if (hash) {
        await page.goto(`${origin}/${hash}`);
      } else {
        await page.goto(server.url);
        await page.waitForURL((url) => !url.searchParams.has('token'));
      }
      return page;
    },
    async close() {
      await endTraces();
      await browser.close();
      await server.close();
      removeFolder(dataDir);
      assert.deepEqual([...complaints], [], 'errors on the console of the page');
    },
  };
}

/** Returns the address of the window for a repository. */
export const hashFor = (root: string): string => `#${new URLSearchParams({ root })}`;

/** Stage with a repository. */
export interface Scene {
  readonly stage: Stage;
  readonly root: string;
}

/** Creates a stage and a repository with these files before the tests of a suite run, and removes them afterwards. */
export function onStage(
  files: Record<string, string | Uint8Array>,
  furnish?: (dataDir: string) => void,
): Scene {
  let stage: Stage;
  let root: string;
  keepTraces();
  before(async () => {
    root = gitRepository(files);
    stage = await setStage(dirname(root), furnish);
  });
  after(async () => {
    await stage?.close();
    removeFolder(root);
  });
  return {
    get stage() {
      return stage;
    },
    get root() {
      return root;
    },
  };
}

/** Opens a window for a repository, and waits until it is indexed. */
export async function openRepository(
  { stage, root }: Scene,
  options: WindowOptions = {},
): Promise<Page> {
  const page = await stage.open({ ...options, hash: hashFor(root) });
  await page.getByText('Up to date').waitFor({ timeout: 120_000 });
  return page;
}

/** Drops a folder on the page. Like a file manager with a browser, it gives no path. */
export async function dropFolder(page: Page): Promise<void> {
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], 'folder'));
    document
      .querySelector('h1')!
      .dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  });
}

/** Pastes text into the issue editor, replacing its content. Typing would send one character at a time. */
export async function pasteIssue(page: Page, text: string): Promise<void> {
  await focusGivenBack(page);
  const editor = page.getByRole('textbox', { name: 'Issue' });
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await editor.evaluate((target, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    target.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

/** Waits until a popover has returned the focus, which happens a moment after it closes. */
async function focusGivenBack(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[role=dialog], [role=menu]'));
  await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(done))));
}

/** Zooms the window to a factor of at least 1. */
export async function zoomTo(page: Page, to: number): Promise<void> {
  const reached = (value: string) =>
    page.waitForFunction(
      (wanted) => document.documentElement.style.getPropertyValue('--zoom') === wanted,
      value,
    );
  await page.keyboard.press('ControlOrMeta+0');
  await reached('1');
  for (let step = 0; step < Math.round(10 * (to - 1)); step += 1) {
    await page.keyboard.press('ControlOrMeta+=');
  }
  await reached(String(to));
}

/** Returns the visible qualified names in the list, best first. */
export async function rankedNames(page: Page): Promise<string[]> {
  await page.getByRole('option').first().waitFor();
  return page
    .getByRole('option')
    .evaluateAll((rows) =>
      rows
        .sort((a, b) => Number(a.ariaPosInSet) - Number(b.ariaPosInSet))
        .map((row) => row.getAttribute('data-name') ?? ''),
    );
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Fails with a readable list if axe finds a violation of WCAG 2.2 AA or of its best practices. In the other theme only contrast is
 * checked, since nothing else depends on colors.
 */
export async function checkAccessibility(page: Page, what: string): Promise<void> {
  await findNothing(page, what, STANDARDS, ':root');
  const [set, other] = await page.evaluate(() =>
    matchMedia('(prefers-color-scheme: dark)').matches
      ? (['dark', 'light'] as const)
      : (['light', 'dark'] as const),
  );
  await page.emulateMedia({ colorScheme: other });
  await findNothing(page, `${what}, ${other}`, ['color-contrast'], ':root');
  await page.emulateMedia({ colorScheme: set });
}

/** Fails if a text has too little contrast. If a dialog is open, only its texts are checked. */
export function checkContrast(page: Page, what: string): Promise<void> {
  return findNothing(page, what, ['color-contrast'], '[role=dialog], [role=menu]');
}

async function findNothing(
  page: Page,
  what: string,
  runOnly: string[],
  over: string,
): Promise<void> {
  await settle(page);
  // The content security policy forbids script elements.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(
    async ({ over, runOnly }) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const top = [...document.querySelectorAll(over)].at(-1) ?? document;
      const found = await axe.run(top, { runOnly, resultTypes: ['violations'], preload: false });
      return found.violations.map(({ id, help, nodes }) => ({
        id,
        help,
        nodes: nodes
          .slice(0, 5)
          .map(({ html, failureSummary }) => `${html.slice(0, 300)}\n${failureSummary}`),
      }));
    },
    { over, runOnly },
  );
  assert.equal(violations.length, 0, `${what}: ${JSON.stringify(violations, null, 2)}`);
}

/** Waits until all finite animations have ended, since fading texts do not have their final color. */
function settle(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const moves = () =>
      document
        .getAnimations()
        .some(
          ({ effect, playState }) =>
            playState === 'running' &&
            effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
        );
    do {
      await frame();
      await frame();
    } while (moves());
  });
}

/** Responses by method of the engine, computed from the parameters; promises delay them. */
export type Answers = Partial<Record<keyof EngineMethods, (params: unknown) => unknown>>;

/**
 * Reloads a page with some of its requests answered by the test instead of the engine.
 * @returns the methods that the page calls, in order; the list grows
 */
export async function answerInstead(page: Page, answers: Answers): Promise<string[]> {
  const asked: string[] = [];
  await page.routeWebSocket(/\/engine$/, (socket) => {
    const engine = socket.connectToServer();
    socket.onMessage((text) => {
      const { id, method, params } = JSON.parse(String(text) || '{}');
      if (method) asked.push(method);
      const answer = answers[method as keyof EngineMethods];
      if (!answer) return engine.send(text);
      Promise.resolve(answer(params)).then((given) => {
        socket.send(JSON.stringify({ id, ...Object(given) }));
      });
    });
    engine.onMessage((text) => socket.send(text));
  });
  await page.reload();
  return asked;
}
