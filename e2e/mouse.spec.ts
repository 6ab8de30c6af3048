/** Journeys by mouse only, also in a narrow window that shows one pane at a time. */
import { describe, it } from 'node:test';
import { onStage, openRepository, pasteIssue } from './support.ts';

const FILES = {
  'shop/cart.py': `from shop.tax import add_tax


class Cart:
    def total(self):
        """The sum of all prices."""
        return add_tax(sum(item.price for item in self.items))
`,
  'shop/tax.py': 'def add_tax(price):\n    """The price with tax."""\n    return price * 1.2\n',
};

describe('the mouse alone', () => {
  const scene = onStage(FILES);

  it('leads through the tabs beside the code, and to similar functions', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, 'add_tax is wrong: the price with tax');
    await page.locator('[role=option][data-name="add_tax"][aria-posinset="1"]').click();
    await page.getByRole('tab', { name: 'Neighbors' }).click();
    await page.getByRole('button', { name: 'Similar' }).click();
    await page.getByRole('button', { name: 'Similar', pressed: true }).waitFor();
    await page.getByRole('tabpanel', { name: 'Neighbors' }).getByText('total').first().waitFor();
    await page.getByRole('button', { name: 'Graph' }).click();
    await page.locator('.react-flow__node').first().waitFor();
    await page.getByRole('tab', { name: 'Model input' }).click();
    await page.getByText('Model input for add_tax').waitFor();
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByRole('tabpanel', { name: 'Compare' }).waitFor();
    await page.getByRole('tab', { name: 'Preview' }).click();
    const blame = page.getByRole('button', { name: 'Toggle blame' });
    await blame.click();
    await page.getByText('First', { exact: true }).first().waitFor();
    await blame.click();
  });

  it('leads through comparisons, earlier issues, the tree, versions, commands and an exported mark', async () => {
    const page = await openRepository(scene);
    const issue = page.locator('[data-pane=issue] .view-lines');
    const code = page.getByRole('tabpanel', { name: 'Preview' });
    await pasteIssue(page, 'add_tax is wrong: the price with tax');
    await page.locator('[role=option][data-name="add_tax"][aria-posinset="1"]').waitFor();
    await page.getByRole('button', { name: 'New issue' }).click();
    await page.getByText('No issue yet').waitFor();
    await pasteIssue(page, 'Cart.total is off: the sum of all prices');
    await page.locator('[role=option][data-name="Cart.total"][aria-posinset="1"]').waitFor();

    await page.getByRole('tab', { name: 'Compare' }).click();
    const compare = page.getByRole('tabpanel', { name: 'Compare' });
    const line = compare.getByRole('button', { name: /Rank before.*add_tax/ });
    await line.click();
    await line.and(page.locator('[aria-pressed=true]')).click();
    await code.getByText('lines 1–3').waitFor();

    await page.getByRole('button', { name: 'Folder tree' }).click();
    await page.getByRole('treeitem', { name: 'Rank 1' }).and(page.locator('[data-name]')).click();
    await code.getByText('lines 5–7').waitFor();
    await code.getByRole('button', { name: 'Cart', exact: true }).click();
    await code.getByText('lines 4–7').waitFor();
    await page.getByRole('button', { name: 'Folder tree' }).click();

    await page.getByRole('button', { name: 'Earlier issues' }).click();
    const earlier = page.getByRole('dialog', { name: 'Earlier issues' });
    await earlier.getByRole('button', { name: /^add_tax is wrong/ }).click();
    await issue.filter({ hasText: /add_tax.is.wrong/ }).waitFor();

    await page.getByRole('button', { name: 'Go to a function, file or command' }).click();
    await page.keyboard.type('>git');
    await page.getByRole('option', { name: 'Search a branch, tag or commit' }).click();
    await page
      .getByRole('dialog', { name: 'Choose version' })
      .getByRole('option', { name: /main/ })
      .click();
    await page.getByRole('button', { name: 'Back to working tree' }).click();
    await page.getByText('Working tree').waitFor();

    const row = page.locator('[role=option][data-name="add_tax"]');
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: /Worth reading/ }).click();
    await page.getByText('Adjusted by 1 mark').waitFor();
    await page.getByRole('button', { name: /^Export/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Export list' });
    await dialog.getByText('1 result', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('leads from pane to pane of a narrow window', async () => {
    const page = await openRepository(scene, { viewport: { width: 640, height: 900 } });
    const panes = page.getByRole('navigation', { name: 'Panes' });
    await panes.getByRole('button', { name: 'Issue' }).click();
    await pasteIssue(page, 'The total of the cart is wrong: Cart.total');
    await panes.getByRole('button', { name: 'Where to edit' }).click();
    await page.locator('[role=option][data-name="Cart.total"][aria-posinset="1"]').click();
    await panes.getByRole('button', { name: 'Code' }).click();
    await page.getByRole('tabpanel', { name: 'Preview' }).getByText('lines 5–7').waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Settings' }).click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('tab', { name: 'Appearance' }).click();
    await settings.getByRole('button', { name: 'Zoom in' }).click();
    await settings.getByText('110%').waitFor();
    await settings.getByRole('button', { name: 'Reset' }).first().click();
    await settings.getByText('100%', { exact: true }).waitFor();
    await settings.getByRole('button', { name: 'Close' }).click();
    await settings.waitFor({ state: 'detached' });
  });
});
