/**
 * Measures waiting times in the window: `node e2e/measure.ts <repository> [<name of a function with many callers>]`, after
 * `npm run build`. Uses a new data directory, the browser host and a real Chromium, and prints a Markdown table. `LOCUS_OUT` works as
 * in the end-to-end tests.
 */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { hashFor, pasteIssue, setStage } from './support.ts';

const [repository, hub] = process.argv.slice(2);
if (!repository) {
  console.error('usage: npx node e2e/measure.ts <repository> [<name of a chunk that many call>]');
  process.exit(2);
}
const ISSUE = `# The command crashes when it is given code with functions

Running it with a function in the code raises \`NameError: name is not defined\`. The globals are wrong.
`;
const root = realpathSync(repository);
const rows: [string, string][] = [];
const stage = await setStage(dirname(root));
try {
  const welcome = await stage.open();
  await welcome.getByRole('heading', { name: 'Where do I edit' }).waitFor();
  rows.push(['first paint of the welcome screen', seconds(await firstPaint(welcome))]);
  await welcome.reload();
  await welcome.getByRole('heading', { name: 'Where do I edit' }).waitFor();
  rows.push(['... when loaded again', seconds(await firstPaint(welcome))]);
  await welcome.goto(`http://127.0.0.1:${stage.server.port}/${hashFor(root)}`);
  const start = performance.now();
  await pasteIssue(welcome, ISSUE);
  await welcome.getByRole('option').first().waitFor({ timeout: 120_000 });
  rows.push(['from opening the folder to the first ranked results', since(start)]);
  await welcome.getByText('Up to date').waitFor({ timeout: 600_000 });
  rows.push(['... to an index that is up to date, with history', since(start)]);
  if (hub) await measureHub(welcome, hub);
} finally {
  await stage.close();
}
console.log(
  `| what | |\n|---|---|\n${rows.map(([what, took]) => `| ${what} | ${took} |`).join('\n')}`,
);

/** Returns the milliseconds since the navigation started. */
function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const paint = list.getEntriesByName('first-contentful-paint')[0];
          if (paint) resolve(paint.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
}

/** Measures the call graph around a function with many callers: time until it is drawn, and frames while it is dragged. */
async function measureHub(page: Page, name: string): Promise<void> {
  await pasteIssue(page, `\`${name}\` is wrong`);
  const option = page.locator(`[role=option][data-name="${name}"]`).first();
  await option.click({ timeout: 60_000 });
  const start = performance.now();
  await page.getByRole('tab', { name: 'Neighbors' }).click();
  await page.locator('.react-flow__node').first().waitFor();
  rows.push([`the graph around \`${name}\``, since(start)]);
  await page.waitForTimeout(1000);
  const box = (await page.locator('.react-flow__pane').boundingBox())!;
  const [x, y] = [box.x + 20, box.y + box.height - 20];
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let last = performance.now();
        const next = (now: number) => {
          times.push(now - last);
          last = now;
          if (times.length === 121) resolve(times.slice(1));
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
  );
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; step < 60; step++) await page.mouse.move(x + step * 4, y - step * 3);
  await page.mouse.up();
  const sorted = (await frames).toSorted((a, b) => a - b);
  const at = (share: number) => `${Math.round(sorted[Math.floor(share * (sorted.length - 1))])} ms`;
  rows.push(['... frames while it is moved', `${at(0.5)} median, ${at(1)} at most of 120`]);
}

function since(start: number): string {
  return seconds(performance.now() - start);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
