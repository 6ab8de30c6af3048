/** Takes the pictures that need a server or a repository of their own. */
import { dirname, join } from 'node:path';
import { fakeEndpoint, finds } from '../../test/check/fake-endpoint.ts';
import { gitRepository } from '../../test/support/repository.ts';
import { fillFleet, fleetAnswer, SHOP } from '../../test/support/sample-fleet.ts';
import { BILLING, CHECKOUT, VOUCHER_ISSUE } from '../sample-repositories.ts';
import { answerInstead, openRepository, pasteIssue, setStage } from '../support.ts';
import { optionsFor, THEMES, takePicture } from './camera.ts';
import { searchIssue, warmUp } from './demo.ts';

/** Takes the screen of a fleet, whose results are the sample's. It has a stage of its own, since the others have no fleet. */
export async function shootFleet(home: string): Promise<void> {
  process.env.LOCUS_FLEET_OBJECTS = join(home, 'fleet');
  await fillFleet(process.env.LOCUS_FLEET_OBJECTS);
  const own = await setStage(home);
  const shop = { ...SHOP, commit: '4f1c2ab904d1c2ab904d1c2ab904d1c2ab904d1c' };
  const found = { result: fleetAnswer({ shop, here: { [SHOP.name]: '/home/you/src/shop' } }) };
  try {
    for (const theme of THEMES) {
      const page = await own.open(optionsFor(theme));
      await answerInstead(page, { 'fleet.search': () => found });
      await page.getByRole('button', { name: 'Search all repositories' }).click();
      const issue =
        '# The total of the cart forgets the tax\n\n`Cart.total` should call `add_tax`.';
      await page.getByRole('textbox', { name: 'Issue' }).fill(issue);
      await page.keyboard.press('Control+Enter');
      await page.getByRole('option', { name: 'Cart.total' }).waitFor();
      await takePicture(page, `fleet-${theme}`);
    }
  } finally {
    await own.close();
  }
}

/** Takes the screens of a workspace: the choice, its list, and a list of packages; only in the light theme. */
export async function shootSeveral(home: string): Promise<void> {
  const src = join(home, 'src');
  for (const [name, files] of Object.entries({ billing: BILLING, checkout: CHECKOUT }))
    gitRepository(files, join(src, name));
  const own = await setStage(src);
  try {
    const page = await own.open(optionsFor('light'));
    await page.getByRole('button', { name: 'Open workspace…' }).click();
    await page.getByRole('textbox', { name: 'Folder with repositories' }).fill(src);
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox').nth(1).waitFor();
    await takePicture(page, 'several-choose-light');
    await page.getByRole('button', { name: 'Open 2 repositories' }).click();
    await page.getByText('2 of 2 repositories').waitFor({ timeout: 120_000 });
    await pasteIssue(page, VOUCHER_ISSUE);
    await page.getByText(/^\d+ reranked$/).waitFor();
    await page.getByRole('button', { name: '2 of 2 repositories' }).click();
    await page.getByRole('dialog', { name: 'Repositories' }).waitFor();
    await takePicture(page, 'several-list-light');
    const one = await openRepository(
      { stage: own, root: join(src, 'checkout') },
      optionsFor('light'),
    );
    await pasteIssue(one, VOUCHER_ISSUE);
    await one.getByText(/^\d+ reranked$/).waitFor();
    await one.getByRole('button', { name: /Edit filters/ }).click();
    for (const name of ['@acme/cart', '@acme/pricing'])
      await one.getByRole('checkbox', { name }).check();
    await one.getByRole('button', { name: 'Done' }).click();
    await one.getByTitle('In the package @acme/web').first().waitFor({ state: 'detached' });
    await takePicture(one, 'packages-light');
  } finally {
    await own.close();
  }
}

/** Takes the screens of a check: its set-up, and a checked list. A server at the address of Ollama answers instead of a model. */
export async function shootCheck(root: string): Promise<void> {
  const answer = finds('RetryPolicy.backoff', 'Adds the random spread after it applies the limit.');
  const ollama = await fakeEndpoint((asked, response, turn) =>
    asked.url === '/v1/models'
      ? response.end('{"data": [{"id": "qwen2.5-coder:14b"}]}')
      : answer(asked, response, turn),
  );
  process.env.OLLAMA_HOST = new URL(ollama.address).host;
  try {
    for (const theme of THEMES) {
      const own = await setStage(dirname(root));
      try {
        const page = await openRepository({ stage: own, root }, optionsFor(theme));
        await warmUp(page);
        await searchIssue(page);
        await page.getByRole('button', { name: 'Set up a second opinion…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Set up a second opinion' });
        await dialog.getByRole('button', { name: 'Look for models on this machine' }).click();
        await dialog.getByRole('radio', { name: /^Ollama/ }).check();
        await dialog.getByRole('button', { name: 'Test' }).click();
        await dialog.getByText(/It works, and put the right function first/).waitFor();
        await takePicture(page, `check-setup-${theme}`);
        await dialog.getByRole('button', { name: 'Use this model' }).click();
        await dialog.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: /^Check with/ }).click();
        await page.getByText('Checked order: 1 function to edit').waitFor();
        await takePicture(page, `check-${theme}`);
      } finally {
        await own.close();
      }
    }
  } finally {
    await ollama.close();
  }
}
