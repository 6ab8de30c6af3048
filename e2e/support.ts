/** The app as a person meets it: the built pages in a real Chromium, served by the browser host with the real engine. */
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

/** What a window is like; `hash` is what it opens on, `complaint` what its console may say, as part of a test. */
export interface WindowOptions extends BrowserContextOptions {
  hash?: string;
  complaint?: RegExp;
}

export interface Stage {
  server: RunningServer;
  browser: Browser;
  /** Opens a window on the app; fails the test for errors on its console. */
  open(options?: WindowOptions): Promise<Page>;
  close(): Promise<void>;
}

/** The other browser: Debian's own, over WebDriver BiDi. */
export const launchFirefox = (): Promise<Browser> =>
  firefox.launch({
    channel: 'moz-firefox',
    executablePath: join(import.meta.dirname, 'firefox-relay.ts'),
    env: {
      ...process.env,
      LOCUS_FIREFOX_RELAYED: findFirefox(),
      // The relay runs on the Node that runs the tests.
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    },
  });

/**
 * A server with a data directory of its own, and a browser. `root`: the only folder that can be opened; `furnish` puts
 * things into the data directory first.
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
        // A page that is left while it loads complains of what it did not get.
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

/** The window that shows a repository. */
export const hashFor = (root: string): string => `#${new URLSearchParams({ root })}`;

/** A stage, and a repository that can be opened on it. */
export interface Scene {
  readonly stage: Stage;
  readonly root: string;
}

/** Sets a stage around a new repository of these files for the tests of a suite; there is neither before they run. */
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

/** Opens a window on a repository and waits until all of it is indexed. */
export async function openRepository(
  { stage, root }: Scene,
  options: WindowOptions = {},
): Promise<Page> {
  const page = await stage.open({ ...options, hash: hashFor(root) });
  await page.getByText('Up to date').waitFor({ timeout: 120_000 });
  return page;
}

/** Drops a folder on the page, as a file manager does in a browser: without a path. */
export async function dropFolder(page: Page): Promise<void> {
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], 'folder'));
    document
      .querySelector('h1')!
      .dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  });
}

/** Pastes text into the issue editor, over what is there; typed text would come a character at a time. */
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

/** A popover gives the focus back a moment after it is gone: whoever takes it before then loses it again. */
async function focusGivenBack(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[role=dialog], [role=menu]'));
  await page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(done))));
}

/** Zooms the window, from whatever it was at, to 1 or more. */
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

/** Qualified names in the list, best first, as far as they are on the screen. */
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
 * Fails with a readable list when axe finds anything at all against WCAG 2.2 AA or its best practices, and a text of too little contrast in the
 * other theme, which is all that colours can change of it.
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

/** Fails when a text has too little contrast as it looks now; only in what lies over the window, where there is something. */
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
  // Not as a script element, which the content security policy forbids.
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

/** Colours fade in, and what fades has no colour of its own yet: waits for all that moves and comes to an end. */
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

/** Answers to methods of the engine, by their parameters; those that are promised come when they do. */
export type Answers = Partial<Record<keyof EngineMethods, (params: unknown) => unknown>>;

/**
 * Has some of a page's requests answered here in place of its engine, and loads it anew.
 * @returns the methods that the page asks for, as they come
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
