/** Searches a fleet in the window against real servers, Milvus Lite and moto's S3, and opens a result. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type MilvusLite, startMilvusLite } from '../scripts/milvus-lite.ts';
import type { FleetEntry } from '../src/services/fleet/catalog.ts';
import { openFleet } from '../src/services/fleet/fleet.ts';
import { runWorker } from '../src/services/fleet/worker.ts';
import { type Moto, pretendToBeSomebody, startMoto } from '../test/fleet/moto.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { checkAccessibility, type Stage, setStage } from './support.ts';

const CART = `class Cart:
    """What a customer is about to buy."""

    def total(self, prices):
        """The sum of all prices, rounded to cents."""
        return round_price(sum(prices))


def round_price(amount):
    return round(amount, 2)
`;
const MAIL = `def send_receipt(address, lines):
    """Mails a receipt to a customer."""
    for line in lines:
        print(address, line)
`;

describe('all repositories, really', () => {
  const home = temporaryFolder('locus-fleet-');
  let milvus: MilvusLite;
  let moto: Moto;
  let stage: Stage;

  before(async () => {
    pretendToBeSomebody();
    milvus = await startMilvusLite(join(home, 'milvus'));
    moto = await startMoto();
    await moto.makeBucket('fleet');
    const objects = `s3://fleet/company?endpoint=${moto.endpoint}`;
    const [shop, mail] = [
      repository('shop', { 'shop/cart.py': CART }),
      repository('mail', { 'mail.py': MAIL }),
    ];
    const fleet = await openFleet({
      objects,
      engine: milvus.address,
      dataDir: join(home, 'worker'),
    });
    try {
      await fleet.catalog.add([shop, mail]);
      const done = await runWorker(fleet);
      assert.deepEqual(
        done.map(({ failure }) => failure),
        [null, null],
      );
    } finally {
      await fleet[Symbol.asyncDispose]();
    }
    process.env.LOCUS_FLEET_OBJECTS = objects;
    process.env.LOCUS_FLEET_ENGINE = milvus.address;
    stage = await setStage(home);
  });
  after(async () => {
    await stage?.close();
    await milvus?.stop();
    await moto?.stop();
    removeFolder(home);
  });

  function repository(name: string, files: Record<string, string>): FleetEntry {
    const made = gitRepository(files);
    const url = join(home, name);
    cpSync(made, url, { recursive: true });
    removeFolder(made);
    return { name: url.replace(/^\//, ''), url, ref: null, forge: null };
  }

  it('are searched from the start page, and a result opens with its issue', async () => {
    const page = await stage.open();
    await page.getByRole('button', { name: 'Search all repositories' }).click();
    const dialog = page.getByRole('dialog', { name: 'All repositories' });
    await dialog.getByText(`Milvus at ${milvus.address}, on this machine`).waitFor();
    await dialog
      .getByRole('textbox', { name: 'Issue' })
      .fill('The total of a cart is rounded to the wrong cents');
    await page.keyboard.press('ControlOrMeta+Enter');
    await dialog.getByText('2 repositories searched').waitFor({ timeout: 60_000 });
    const best = dialog.getByRole('option').first();
    assert.match(
      (await best.textContent()) ?? '',
      /Cart\.total.*shop.*on this machine.*shop\/cart\.py/,
    );
    await checkAccessibility(page, 'a real search');
    await dialog.getByRole('tab', { name: 'Repositories' }).click();
    await dialog.getByRole('button', { name: 'Load list' }).click();
    await dialog.getByText('2 repositories: 2 indexed').waitFor();
    await dialog.getByText('stored just now').first().waitFor();
    await dialog.getByRole('tab', { name: 'Results' }).click();
    await best.dblclick();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('[role=option][data-name="Cart.total"][aria-selected=true]').waitFor();
  });
});
