/** Sizes of the window's scripts, and when they are loaded. Times would depend on the machine. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { bundle } from './bundle.ts';
import { onStage, openRepository } from './support.ts';

const scene = onStage({ 'shop.py': 'def price_of(item):\n    return 0\n' });

/** Returns the files that the page has requested, in order. */
const loaded = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name.slice(name.lastIndexOf('/') + 1)),
  );

it('every part of the bundle is within its budget', () => {
  for (const { what, compressed, budget } of bundle()) {
    assert.ok(compressed > 0, `${what}: nothing is called so any more`);
    assert.ok(compressed <= budget, `${what}: ${compressed.toFixed(1)} KB of ${budget}`);
  }
});

it('the start page paints with the first part alone, and panels and dialogs are loaded when opened', async () => {
  const parts = bundle();
  const of = (beginning: string) =>
    parts.find(({ what }) => what.startsWith(beginning))?.files ?? assert.fail(beginning);
  const first = of('first paint');
  const welcome = await scene.stage.open();
  await welcome.getByRole('heading', { name: 'Where do I edit' }).waitFor();
  const scripts = (await loaded(welcome)).filter((name) => /\.(js|css)$/.test(name));
  assert.deepEqual(
    scripts.filter((name) => !first.includes(name)),
    [],
  );
  assert.ok(scripts.length > 0);

  const page = await openRepository(scene);
  await page.getByRole('textbox', { name: 'Issue' }).waitFor();
  const later = ['neighbors: the graph', 'model input', 'dialogs'].flatMap(of);
  assert.deepEqual(
    (await loaded(page)).filter((name) => later.includes(name)),
    [],
  );
  // Opening a dialog loads its own part.
  await page.keyboard.press('ControlOrMeta+,');
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  assert.ok((await loaded(page)).some((name) => of('dialogs').includes(name)));
});
