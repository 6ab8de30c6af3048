/**
 * Takes a picture of the window with any repository and issue, after `npm run build`:
 * `node e2e/shoot.ts <folder> <issue file> <picture.png>`. Shows the two best results, the second one with its neighbors.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { hashFor, pasteIssue, rankedNames, setStage } from './support.ts';

const [folder, issue, picture] = process.argv.slice(2);
if (!folder || !issue || !picture) {
  console.error('usage: npx node e2e/shoot.ts <folder> <issue file> <picture.png>');
  process.exit(2);
}
const root = resolve(folder);
const stage = await setStage(dirname(root));
try {
  const page = await stage.open({ hash: hashFor(root) });
  // Indexing a large repository takes a while.
  await page.getByText('Up to date').waitFor({ timeout: 600_000 });
  await pasteIssue(page, readFileSync(issue, 'utf8'));
  console.log((await rankedNames(page)).slice(0, 10).join('\n'));
  await page.getByRole('option').nth(1).click();
  await page.getByRole('option').nth(0).click();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: picture, animations: 'disabled' });
} finally {
  await stage.close();
}
