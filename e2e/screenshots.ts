/** The first half of `npm run screenshots`: saves every screen in both themes to docs/screenshots, with the demo's repository and issue. */
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { fakeGh } from '../test/support/fake-gh.ts';
import { removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { optionsFor, PICTURES, THEMES, type Theme, takePicture } from './pictures/camera.ts';
import { makeDemo, searchIssue, warmUp } from './pictures/demo.ts';
import { SCREENS } from './pictures/screens.ts';
import { shootCheck, shootFleet, shootSeveral } from './pictures/special-stages.ts';
import { openRepository, pasteIssue, setStage } from './support.ts';

/** Takes the screen that asks before an issue is fetched; only in the light theme. */
async function shootLinkOffer(page: Page): Promise<void> {
  await pasteIssue(page, 'https://github.com/acme/tasklane/issues/7');
  const bar = page.getByRole('region', { name: 'Issue URL', exact: true });
  await bar.getByRole('button', { name: 'Fetch once' }).waitFor();
  const box = await page.locator('[data-pane=issue]').boundingBox();
  if (box) await takePicture(page, 'link-offer', { ...box, height: 200 });
}

/** Takes the screens of a window, in the order in which one leads to the next. */
async function shootWindow(page: Page, theme: Theme): Promise<void> {
  await warmUp(page);
  await takePicture(page, `empty-${theme}`);
  if (theme === 'light') await shootLinkOffer(page);
  await searchIssue(page);
  for (const [name, go] of Object.entries(SCREENS)) {
    await go(page);
    await takePicture(page, `${name}-${theme}`);
  }
}

/** Takes the screens before a repository is open. */
async function shootStart(page: Page, theme: Theme): Promise<void> {
  await page.getByRole('heading', { name: 'Recent' }).waitFor();
  await takePicture(page, `welcome-${theme}`);
  await page.getByRole('button', { name: 'Open folder' }).click();
  await page.getByRole('dialog').getByRole('option', { name: 'tasklane' }).waitFor();
  await takePicture(page, `folders-${theme}`);
}

/** Takes the screens of a theme. */
async function shoot(theme: Theme): Promise<void> {
  const stage = await setStage(home);
  try {
    await shootWindow(await openRepository({ stage, root }, optionsFor(theme)), theme);
    await shootStart(await stage.open(optionsFor(theme)), theme);
  } finally {
    await stage.close();
  }
}

const home = temporaryFolder('locus-shots-');
const root = await makeDemo(home);
// Posting is offered only if gh is installed; nothing is posted.
const gh = fakeGh();
process.env.PATH = gh.path;
mkdirSync(PICTURES, { recursive: true });
try {
  for (const theme of THEMES) await shoot(theme);
  await shootCheck(root);
  await shootFleet(home);
  await shootSeveral(home);
} finally {
  removeFolder(home);
  removeFolder(gh.folder);
}
