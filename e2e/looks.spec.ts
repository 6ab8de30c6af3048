/** Rare screens and states, and other color schemes: each must be accessible, too. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { gitRepository, removeFolder, temporaryFolder } from '../test/support/repository.ts';
import {
  checkAccessibility,
  dropFolder,
  hashFor,
  openRepository,
  pasteIssue,
  rankedNames,
  type Stage,
  setStage,
} from './support.ts';
import { keepTraces } from './traces.ts';

const FILES = {
  'shop/cart.py': `def cart_total(items):
    """The sum of all prices, with tax."""
    return sum(price_of(item) for item in items)


def price_of(item):
    return item.price
`,
};
const ISSUE = 'cart_total forgets the tax of the cart, see price_of';

/** Parts of the engine's responses that the tests change. */
interface Answer {
  result?: Record<string, unknown>;
  error?: unknown;
}

/** System preferences to emulate. */
const LOOKS: Record<string, BrowserContextOptions> = {
  'its own colours': {},
  'colours of the system': { forcedColors: 'active' },
};

describe('the look', () => {
  let stage: Stage;
  let home: string;
  let root: string;
  keepTraces();

  before(async () => {
    home = temporaryFolder('locus-looks-');
    root = join(home, 'shop');
    const made = gitRepository(FILES);
    cpSync(made, root, { recursive: true });
    removeFolder(made);
    stage = await setStage(home);
  });
  after(async () => {
    await stage?.close();
    removeFolder(home);
  });

  async function openSearched(options: BrowserContextOptions): Promise<Page> {
    const page = await openRepository({ stage, root }, options);
    await pasteIssue(page, ISSUE);
    await rankedNames(page);
    return page;
  }

  /** Opens a window whose responses are changed, to show the engine in another state. */
  async function openAnswered(
    change: (method: string | undefined, message: Answer) => void,
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const page = await stage.open({ ...options, hash: hashFor(root) });
    await page.routeWebSocket(/\/engine$/, (socket) => {
      const engine = socket.connectToServer();
      const asked = new Map<number, string>();
      socket.onMessage((text) => {
        const { id, method } = JSON.parse(String(text) || '{}');
        asked.set(id, method);
        engine.send(text);
      });
      engine.onMessage((text) => {
        const message = JSON.parse(String(text) || '{}');
        change(asked.get(message.id), message);
        // The initial ranking arrives as an event.
        if (message.event === 'ranking') change('search', { result: message.data.response });
        socket.send(String(text) && JSON.stringify(message));
      });
    });
    await page.reload();
    await page.getByText('Up to date').waitFor({ timeout: 120_000 });
    await pasteIssue(page, ISSUE);
    await rankedNames(page);
    return page;
  }

  it('of a list that is not yet final, and of views that failed', async () => {
    const page = await openAnswered((method, message) => {
      if (method === 'search' && message.result) {
        const reason = 'embeddings are being made';
        message.result.partial = { embedded: 1, chunks: 3, reason };
      }
      if (method === 'neighbors' || method === 'show') {
        delete message.result;
        const remedy = 'open the repository again';
        message.error = { code: 'bad-store', message: 'the index cannot be read', remedy };
      }
    });
    await page.getByRole('button', { name: /Partial ranking: 1 of 3/ }).click();
    await page.getByText('The list may still change').waitFor();
    await checkAccessibility(page, 'partial ranking');
    await page.keyboard.press('Escape');
    for (const tab of ['Neighbors', 'Model input']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('heading', { name: 'the index cannot be read' }).waitFor();
      await checkAccessibility(page, `${tab} that failed`);
    }
  });

  it('of an empty list, and of evidence before anything is selected', async () => {
    let isEmpty = false;
    const page = await openAnswered((method, message) => {
      if (method !== 'search' || !message.result || !isEmpty) return;
      const reason = '1 of 3 files are read so far';
      Object.assign(message.result, { results: [], partial: { embedded: 0, chunks: 0, reason } });
    });
    await page.getByRole('button', { name: 'Evidence' }).click();
    isEmpty = true;
    await page.getByRole('button', { name: 'New issue' }).click();
    await pasteIssue(page, `${ISSUE}, once more`);
    await page.getByRole('heading', { name: 'No results yet' }).waitFor();
    await page.getByText('1 of 3 files are read so far').first().waitFor();
    await page.getByText('Select a result to see why it is here').waitFor();
    await checkAccessibility(page, 'a list that has nothing yet');
    await page.getByRole('button', { name: 'Evidence' }).click();
  });

  for (const [look, options] of Object.entries(LOOKS)) {
    it(`of a list with its confidence: ${look}`, async () => {
      let confidence: number | null = 0.68;
      const page = await openAnswered((method, message) => {
        if (method === 'search' && message.result) message.result.confidence = confidence;
      }, options);
      const sure = page.getByRole('button', { name: /^\d+%: one of the first five$/ });
      await sure.filter({ hasText: '70%: one of the first five' }).click();
      await page.getByText(/with a probability of about 70%/i).waitFor();
      await checkAccessibility(page, 'how sure it is');
      await page.keyboard.press('Escape');
      confidence = null;
      await pasteIssue(page, `${ISSUE}, again`);
      await page.keyboard.press('ControlOrMeta+Enter');
      await sure.waitFor({ state: 'detached' });
    });
  }

  it('of a missing folder', async () => {
    const page = await stage.open();
    await page.getByRole('button', { name: 'Open folder' }).click();
    const picker = page.getByRole('dialog', { name: 'Open folder' });
    await picker.getByRole('option', { name: 'shop' }).waitFor();
    await picker.getByRole('textbox', { name: 'Folder' }).fill(join(home, 'nowhere'));
    await page.keyboard.press('Enter');
    await picker
      .getByText(/^nowhere cannot be listed: the folder does not exist\. Choose another folder\.$/)
      .waitFor();
    await checkAccessibility(page, 'a folder that is not there');
  });

  it('of notes, and of the welcome screen with an error', async () => {
    const page = await openSearched({});
    process.kill(stage.server.enginePid!, 'SIGKILL');
    await page.getByRole('button', { name: /1 note/ }).click();
    await page.getByText('and is restarting').waitFor();
    await checkAccessibility(page, 'notes');

    const welcome = await stage.open();
    await welcome.getByRole('heading', { name: 'Recent' }).waitFor();
    await dropFolder(welcome);
    await welcome.getByText('A browser hides the path').waitFor();
    await checkAccessibility(welcome, 'drop message');
  });
});
