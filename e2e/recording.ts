/** The second half of `npm run screenshots`: records a minute with the demo's repository and issue to docs/screenshots/recording.webp. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { animate } from './pictures/animation.ts';
import { PICTURES } from './pictures/camera.ts';
import { makeDemo, searchIssue, warmUp } from './pictures/demo.ts';
import { Recorder } from './pictures/recorder.ts';
import { openRepository, setStage } from './support.ts';

const OUTPUT = join(PICTURES, 'recording.webp');
/** Time for which the last frame stays before the recording begins again, in milliseconds. */
const HOLD = 4000;

/** Searches the issue, and reads the best results. */
async function search(page: Page, recorder: Recorder): Promise<void> {
  await recorder.say('An issue, and a repository that is new to you. Where do you edit?', 3000);
  await searchIssue(page);
  await recorder.say('Paste the issue. Locus ranks the functions that a fix would change.', 5000);
  await recorder.click(page.getByRole('option').nth(0));
  await recorder.say('Every result has its reasons, and its code', 4500);
  await page.keyboard.press('ArrowDown');
  await recorder.wait(1800);
  await page.keyboard.press('ArrowDown');
  await recorder.wait(1800);
  await page.keyboard.press('Home');
  await recorder.wait(1200);
}

/** Shows why a function has its rank, and its callers. */
async function understand(page: Page, recorder: Recorder): Promise<void> {
  recorder.hidePointer();
  await recorder.say('W: all evidence for its rank', 800);
  await page.keyboard.press('w');
  await recorder.wait(6000);
  await page.keyboard.press('w');
  await recorder.say('Neighbors: who calls it, and what it calls', 800);
  await recorder.click(page.getByRole('tab', { name: 'Neighbors' }));
  await page.locator('.react-flow__node').first().waitFor();
  await recorder.wait(6000);
  await recorder.click(page.getByRole('tab', { name: 'Preview' }));
}

/** Marks results, and hands the list over. */
async function handOver(page: Page, recorder: Recorder): Promise<void> {
  await page.keyboard.press('Control+2');
  await page.keyboard.press('Home');
  recorder.hidePointer();
  await recorder.say('E: edit here. X: not relevant.', 1500);
  await page.keyboard.press('e');
  await recorder.wait(2500);
  await page.keyboard.press('ArrowDown');
  await recorder.wait(800);
  await page.keyboard.press('x');
  await recorder.wait(2500);
  await recorder.say('S: apply the new order', 1200);
  await page.keyboard.press('s');
  await recorder.wait(3500);
  await recorder.say('Ctrl E: hand the list over', 800);
  await page.keyboard.press('Control+e');
  await page.getByText('Where to edit:').first().waitFor();
  await recorder.wait(4500);
  await recorder.say('Everything runs on your machine', 0);
}

const home = temporaryFolder('locus-recording-');
const root = await makeDemo(home);
const stage = await setStage(home);
try {
  const page = await openRepository(
    { stage, root },
    { viewport: { width: 1040, height: 650 }, colorScheme: 'light', reducedMotion: 'reduce' },
  );
  await warmUp(page);
  const recorder = await Recorder.start(page);
  await search(page, recorder);
  await understand(page, recorder);
  await handOver(page, recorder);
  const frames = await recorder.stop();
  const picture = await animate(stage.browser, frames, HOLD);
  writeFileSync(OUTPUT, picture);
  console.log(`${OUTPUT}: ${frames.length} frames, ${picture.length} bytes`);
} finally {
  await stage.close().finally(() => removeFolder(home));
}
