/** Runs components in a real Chromium, with an engine whose answers the test provides. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import react from '@vitejs/plugin-react';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { launchChromium } from '../../../scripts/browsers.ts';
import type { OpenedRepository } from '../../../src/shared/repository.ts';
import type { Events } from '../../../src/shared/rpc/events.ts';
import type { EngineMethods } from '../../../src/shared/rpc/methods.ts';
import { settings } from '../../../src/shared/settings.ts';
import type { ComponentName, Driver } from './page.tsx';

/** Answers of the engine. An error that one throws becomes the engine's failure. */
export type Answers = {
  [Name in keyof EngineMethods]?: (
    params: EngineMethods[Name]['params'],
  ) => EngineMethods[Name]['result'] | Promise<EngineMethods[Name]['result']>;
};

/** A page with one component. */
export interface Stage {
  page: Page;
  /** Returns the parameters of this method's requests so far. */
  asked<Name extends keyof EngineMethods>(method: Name): EngineMethods[Name]['params'][];
  emit<Name extends keyof Events>(event: Name, data: Events[Name]): Promise<void>;
  /** Calls a function of the page. */
  drive<Name extends keyof Driver>(
    name: Name,
    ...given: Parameters<Driver[Name]>
  ): Promise<Awaited<ReturnType<Driver[Name]>>>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};
/** Origin that browsers trust like HTTPS. Nothing listens there; the test answers all requests. */
const ORIGIN = 'http://localhost:1';

export const REPOSITORY: OpenedRepository = {
  id: 'shop',
  root: '/src/shop',
  name: 'shop',
  revision: null,
  status: {
    root: '/src/shop',
    name: 'shop',
    revision: null,
    files: 2,
    chunks: 3,
    chunksByKind: { function: 3, method: 0, class: 0, module: 0, section: 0 },
    edges: 2,
    guessedEdges: 0,
    embedded: 3,
    filesWithErrors: 0,
    languages: [],
    unread: [],
    commits: 0,
    packages: [],
    skipped: {},
    model: { id: 'bag-1', version: '1' },
    rerankModels: [],
    databasePath: '/data/shop',
    databaseBytes: 1,
    state: 'complete',
    indexedAt: null,
    notes: [],
  },
  indexing: { phase: 'current', progress: null, report: null, failure: null, warning: null },
  lastIssue: null,
};

const DEFAULTS: Answers = {
  'settings.get': () => settings.parse({}),
  'settings.set': (change) => ({ ...settings.parse({}), ...change }),
  'repository.open': () => REPOSITORY,
  status: () => REPOSITORY.status,
  'repository.branch': () => null,
  'marks.list': () => [],
  'issues.save': ({ issue }) => ({ id: issue }) as never,
};

/** Builds the page once, for all tests of a file. Returns a function that shows a component in a new window. */
export function prepareStage(): (component: ComponentName, answers?: Answers) => Promise<Stage> {
  let folder: string;
  let browser: Browser;
  const problems: string[] = [];
  const pages: Page[] = [];
  afterEach(async () => {
    // An open page goes on to use the processor.
    await Promise.all(pages.splice(0).map((page) => page.close()));
    assert.deepEqual(problems.splice(0), [], 'errors on the page’s console');
  });
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'locus-components-'));
    await build({
      configFile: false,
      logLevel: 'warn',
      root: import.meta.dirname,
      plugins: [react()],
      // For Monaco's worker.
      worker: { format: 'es' },
      build: {
        outDir: folder,
        emptyOutDir: true,
        target: 'chrome140',
        minify: false,
        modulePreload: false,
      },
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return async (component, answers = {}) => {
    const page = await browser.newPage({ viewport: { width: 800, height: 700 } });
    pages.push(page);
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.route('**', (route) => {
      const { pathname } = new URL(route.request().url());
      const path = join(folder, pathname);
      return route.fulfill({ contentType: TYPES[extname(path)], body: readFileSync(path) });
    });
    const requests: { method: string; params: unknown }[] = [];
    await page.exposeFunction('post', async (text: string) => {
      const { id, method, params } = JSON.parse(text);
      if (!method) return;
      requests.push({ method, params });
      const answer = await answerTo({ ...DEFAULTS, ...answers }, method, params);
      // The page may be closed already.
      await page
        .evaluate((message) => window.receive(message), JSON.stringify({ id, ...answer }))
        .catch(() => {});
    });
    await page.goto(`${ORIGIN}/index.html`);
    const stage: Stage = {
      page,
      asked: (wanted) =>
        requests.filter(({ method }) => method === wanted).map(({ params }) => params as never),
      emit: (event, data) => stage.drive('emit', event, data),
      drive: (name, ...given) =>
        page.evaluate(
          ({ name, given }) =>
            (window.driver[name] as (...given: unknown[]) => unknown)(...given) as never,
          { name, given },
        ),
    };
    await stage.emit('welcome', {
      engine: 'test',
      version: '0.0.0',
      dataDirectory: '/data',
      platform: 'linux',
      models: [],
      rerankers: [],
      languages: [],
      sample: null,
      open: null,
      fleet: null,
      allowedRoot: null,
      failure: null,
    });
    await stage.drive('openRepository', REPOSITORY.root);
    await stage.drive('mount', component);
    return stage;
  };
}

async function answerTo(answers: Answers, method: string, params: unknown): Promise<object> {
  const answer = answers[method as keyof EngineMethods] as
    | ((params: unknown) => unknown)
    | undefined;
  if (!answer)
    return {
      error: {
        code: 'unexpected',
        message: `No answer to ${method}.`,
        remedy: 'Add an answer to the test.',
      },
    };
  try {
    return { result: (await answer(params)) ?? null };
  } catch (error) {
    return { error };
  }
}
