/**
 * Every screen of the window, reached by keyboard, without findings of axe at 640 px, light and dark. `npm run torture` checks every size
 * and color scheme. Rare states are in `looks.spec.ts` and in the specs of their features.
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { scaleRounds } from '../test/support/effort.ts';
import { fakeGh } from '../test/support/fake-gh.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { fillFleet, fleetAnswer, SHOP } from '../test/support/sample-fleet.ts';
import {
  answerInstead,
  checkAccessibility,
  checkContrast,
  openRepository,
  pasteIssue,
  type Stage,
  setStage,
  type WindowOptions,
  zoomTo,
} from './support.ts';
import { keepTraces } from './traces.ts';

const FILES = {
  'shop/cart.py': `from shop.tax import add_tax


class Cart:
    """What a visitor buys."""

    def total(self):
        """The sum of all prices, with tax."""
        return add_tax(sum(item.price for item in self.items))


def price_of(item):
    return item.price
`,
  'shop/tax.py': `def add_tax(price):
    """The price with tax."""
    # A fifth, as everywhere.
    return price * 1.2
`,
  'tests/test_tax.py': `from shop.tax import add_tax


def test_add_tax():
    assert add_tax(10) == 12
`,
};
const BEFORE = 'price_of is wrong: the price of an item';
let issues = 0;
/** Returns an issue with a new title each time, since a known issue is restored with its marks. */
const anIssue = () => `# The total of the cart forgets the tax${' again'.repeat(issues++)}

\`Cart.total\` should call \`add_tax\`:

\`\`\`
  File "shop/cart.py", line 9, in total
TypeError: add_tax() missing 1 required positional argument
\`\`\`
`;

const SETTINGS = [
  'Appearance',
  'Search',
  'Indexing',
  'Shared index',
  'Editor',
  'Check',
  'Issue URLs',
  'Data and logs',
];

type Look = Parameters<Page['emulateMedia']>[0];
const LIGHT: Look = { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' };
/** Color schemes other than light and dark. */
const LOOKS: Record<string, Look> = {
  'light with more contrast': { ...LIGHT, contrast: 'more' },
  'dark with more contrast': { ...LIGHT, colorScheme: 'dark', contrast: 'more' },
  'colours of the system': { ...LIGHT, forcedColors: 'active' },
};

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Opens a dialog by its keys. */
async function dialogBy(page: Page, keys: string, name?: string | RegExp): Promise<void> {
  await press(page, keys);
  await page.getByRole('dialog', { name }).waitFor();
}

/** Runs a command by its name. */
async function run(page: Page, command: string): Promise<void> {
  await dialogBy(page, 'ControlOrMeta+k', 'Commands');
  await page.keyboard.type(command);
  await page.getByRole('option', { name: command }).first().waitFor();
  await press(page, 'Enter');
  await page.getByRole('dialog', { name: 'Commands' }).waitFor({ state: 'detached' });
}

/** Opens a view of the neighbors. */
async function neighbors(page: Page, view: string): Promise<void> {
  await press(page, 'ControlOrMeta+Alt+b');
  await page.getByRole('button', { name: view, exact: true }).press('Enter');
}

/** Runs in the page: records animations, except spinners. */
function noteMotion(): void {
  const moved: string[] = [];
  const note = ({ target }: Event) => {
    if (!(target instanceof Element)) return;
    for (const { effect } of target.getAnimations()) {
      const { duration, iterations } = effect?.getTiming() ?? {};
      if (Number(duration) > 0 && iterations !== Number.POSITIVE_INFINITY) {
        moved.push(`${target.outerHTML.slice(0, 200)} for ${duration} ms`);
      }
    }
  };
  for (const type of ['transitionrun', 'animationstart']) document.addEventListener(type, note);
  Object.assign(window, { moved });
}

const moved = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { moved: string[] }).moved);

const code = (page: Page) => page.getByRole('tabpanel', { name: 'Preview' });

/** Steps to each screen, from a window that has searched the issue and shows no dialog. */
const SCREENS: Record<string, (page: Page) => Promise<unknown>> = {
  issue: (page) => press(page, 'ControlOrMeta+1'),
  results: (page) => press(page, 'ControlOrMeta+2', 'Home'),
  evidence: async (page) => {
    await press(page, 'ControlOrMeta+2', 'Home', 'w');
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await evidence.getByText('Details').press('Enter');
    await evidence.getByRole('table').waitFor();
  },
  'a reason that is lit': (page) =>
    page.getByRole('region', { name: 'Evidence' }).getByRole('button').first().focus(),
  'a note': async (page) => {
    await press(page, 'ControlOrMeta+2', 'w', 'Home', 'e', 'n');
    await page.getByRole('textbox', { name: /^Note on/ }).fill('Begin here.');
  },
  'several selected': async (page) => {
    await press(page, 'Enter', 'ControlOrMeta+2', 'Home', 'Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
  },
  'menu of a result': async (page) => {
    await press(page, 'ControlOrMeta+2', 'Home', 'Shift+F10');
    await page.getByRole('menu').waitFor();
  },
  'grouped by file': async (page) => {
    await press(page, 'ControlOrMeta+2', 'g');
    await page.locator('[data-path="shop/cart.py"]').waitFor();
  },
  marked: async (page) => {
    await press(page, 'g', 'm');
    await page.getByText('Begin here.').waitFor();
  },
  filters: async (page) => {
    await press(page, 'm', 'f');
    await page.getByRole('dialog', { name: 'Filters' }).waitFor();
  },
  preview: async (page) => {
    await press(page, 'ControlOrMeta+2', 'Home', 'Enter');
    await code(page).getByText('lines').first().waitFor();
  },
  outline: (page) => dialogBy(page, 'ControlOrMeta+Shift+o', 'Outline of the file'),
  references: async (page) => {
    await press(page, 'ControlOrMeta+2', 'Home', 'Enter', 'Shift+F12');
    await code(page).getByText('references to').waitFor();
  },
  blame: async (page) => {
    await press(page, 'Escape');
    const button = code(page).getByRole('button', { name: 'Toggle blame' });
    // It stays as it was set.
    if ((await button.getAttribute('aria-pressed')) === 'false') await button.press('Enter');
    await code(page).getByText('Test', { exact: true }).waitFor();
  },
  'neighbors as a graph': async (page) => {
    await neighbors(page, 'Graph');
    await page.locator('.react-flow__node').first().waitFor();
  },
  'neighbors as a list': async (page) => {
    await neighbors(page, 'List');
    await page.getByRole('tree').waitFor();
  },
  similar: (page) => neighbors(page, 'Similar'),
  tests: (page) => neighbors(page, 'Tests'),
  'model input': async (page) => {
    await press(page, 'ControlOrMeta+Alt+r');
    await page.getByText('If a function ranks lower').waitFor();
  },
  compare: async (page) => {
    await press(page, 'ControlOrMeta+Alt+c');
    await page.getByRole('tabpanel', { name: 'Compare' }).waitFor();
  },
  commands: (page) => dialogBy(page, 'ControlOrMeta+k'),
  'go to': async (page) => {
    await dialogBy(page, 'ControlOrMeta+p');
    await page.keyboard.type('tax');
    await page
      .getByRole('option', { name: /add_tax/ })
      .first()
      .waitFor();
  },
  versions: async (page) => {
    await dialogBy(page, 'ControlOrMeta+Alt+g');
    await page.getByRole('option', { name: /v1/ }).waitFor();
  },
  keys: (page) => dialogBy(page, 'F1'),
  'earlier issues': (page) => dialogBy(page, 'ControlOrMeta+Alt+h'),
  export: async (page) => {
    await dialogBy(page, 'ControlOrMeta+e');
    await page.getByRole('region', { name: 'Preview' }).getByText('forgets the tax').waitFor();
  },
  post: async (page) => {
    await dialogBy(page, 'ControlOrMeta+e');
    await page.getByRole('button', { name: 'Post to issue' }).click();
    await page.getByRole('textbox', { name: 'Post to issue' }).fill('#7');
    await page.getByRole('button', { name: 'Post to acme/shop#7' }).waitFor();
  },
  import: async (page) => {
    await dialogBy(page, 'ControlOrMeta+Shift+e');
    await page.getByText('Choose a file').waitFor();
  },
  folders: (page) => dialogBy(page, 'ControlOrMeta+o'),
  'several repositories': async (page) => {
    await run(page, 'Open workspace');
    await page.getByRole('dialog', { name: 'Open workspace' }).waitFor();
  },
  'all repositories, found': async (page) => {
    await dialogBy(page, 'ControlOrMeta+Alt+f', 'All repositories');
    await press(page, 'ControlOrMeta+Enter');
    await page.getByRole('option', { name: 'Cart.total' }).getByText('on this machine').waitFor();
    await press(page, 'End');
    await page.getByRole('link', { name: 'Open on github.com' }).waitFor();
  },
  'all repositories, what became of each': async (page) => {
    await dialogBy(page, 'ControlOrMeta+Alt+f', 'All repositories');
    await page.getByRole('tab', { name: 'Repositories' }).press('Enter');
    await page.getByRole('button', { name: 'Load list' }).press('Enter');
    await page.getByText('1 indexed, 1 failed').waitFor();
  },
  'the repository’s menu': async (page) => {
    await page.getByRole('banner').getByRole('button', { expanded: false }).first().press('Enter');
    await page.getByRole('menu').waitFor();
  },
  'what is indexed': async (page) => {
    await page.getByRole('button', { name: /in \d files/ }).press('Enter');
    await page.getByRole('dialog').waitFor();
  },
  ...Object.fromEntries(
    SETTINGS.map((section) => [
      `settings: ${section}`,
      async (page: Page) => {
        await dialogBy(page, 'ControlOrMeta+,');
        const tab = page.getByRole('tab', { name: section });
        await tab.press('Enter');
        await page.getByRole('tabpanel', { name: section }).waitFor();
      },
    ]),
  ),
};

/** Sizes and color schemes. All combinations take four minutes, so only `npm run torture` runs them. */
const ALL = scaleRounds(1) > 1;
const SIZES = [
  { size: '640 px', width: 640, zoom: 1 },
  ...(ALL
    ? [
        { size: '100 %', width: 1440, zoom: 1 },
        { size: '200 %', width: 1440, zoom: 2 },
      ]
    : []),
];

describe('every screen', () => {
  const home = temporaryFolder('locus-screens-');
  const root = join(home, 'shop');
  const gh = fakeGh();
  const { PATH } = process.env;
  let stage: Stage;
  keepTraces();

  before(async () => {
    const made = gitRepository(FILES);
    cpSync(made, root, { recursive: true });
    removeFolder(made);
    git(root, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git');
    git(root, 'tag', 'v1');
    process.env.PATH = gh.path;
    process.env.LOCUS_FLEET_OBJECTS = join(home, 'fleet');
    await fillFleet(process.env.LOCUS_FLEET_OBJECTS);
    stage = await setStage(home);
  });
  after(async () => {
    process.env.PATH = PATH;
    delete process.env.LOCUS_FLEET_OBJECTS;
    await stage?.close();
    for (const folder of [home, gh.folder]) removeFolder(folder);
  });

  /** Opens a window with a list and an earlier one to compare with. */
  async function searched(options: WindowOptions): Promise<Page> {
    const page = await openRepository({ stage, root }, options);
    const shop = { ...SHOP, commit: git(root, 'rev-parse', 'HEAD') };
    const here = { [SHOP.name]: root };
    await answerInstead(page, { 'fleet.search': () => ({ result: fleetAnswer({ shop, here }) }) });
    await page.getByText('Up to date').waitFor();
    for (const [issue, best] of [
      [BEFORE, 'price_of'],
      [anIssue(), 'Cart.total'],
    ] as const) {
      await press(page, 'ControlOrMeta+1');
      await pasteIssue(page, issue);
      await press(page, 'ControlOrMeta+Enter');
      await page.locator(`[role=option][data-name="${best}"][aria-posinset="1"]`).waitFor();
    }
    return page;
  }

  /** Closes dialogs and menus. */
  async function close(page: Page): Promise<void> {
    const over = page.locator('[role=dialog], [role=menu]');
    while ((await over.count()) > 0) {
      await press(page, 'Escape');
      await page.waitForTimeout(20);
    }
  }

  for (const { size, width, zoom } of SIZES) {
    it(`is accessible at ${size}`, async () => {
      const page = await searched({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
      await zoomTo(page, zoom);
      await page.evaluate(noteMotion);
      for (const [name, go] of Object.entries(SCREENS)) {
        await go(page);
        await checkAccessibility(page, `${name} at ${size}`);
        await close(page);
      }
      assert.deepEqual(await moved(page), [], 'who wants less motion sees none');
      await zoomTo(page, 1);
    });
  }

  const looks = Object.entries(LOOKS);
  if (ALL) {
    it(`has enough contrast: ${looks.map(([look]) => look).join(', ')}`, async () => {
      const page = await searched({ reducedMotion: 'reduce' });
      for (const [name, go] of Object.entries(SCREENS)) {
        await go(page);
        for (const [look, media] of looks) {
          await page.emulateMedia(media);
          await checkContrast(page, `${name}, ${look}`);
        }
        await page.emulateMedia(LIGHT);
        await close(page);
      }
    });
  }
});
