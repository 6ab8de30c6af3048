import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import type { AppImageUpdate } from '../../src/main/app-image.ts';
import { installUpdate } from '../../src/main/install-update.ts';
import { createBridge } from '../../src/preload/bridge.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { launch } from './launch.ts';

const APP_IMAGE = '/home/ann/Locus.AppImage';
const RESOURCES = '/tmp/.mount_Locus/resources';

beforeEach((t) => {
  const { APPIMAGE } = process.env;
  process.env.APPIMAGE = APP_IMAGE;
  Object.assign(process, { resourcesPath: RESOURCES });
  (t as { after?: (run: () => void) => void }).after?.(() => {
    if (APPIMAGE === undefined) delete process.env.APPIMAGE;
    else process.env.APPIMAGE = APPIMAGE;
  });
});

/** Starts the app, and returns what an update would get. */
async function prepare(t: Parameters<typeof launch>[0], { packaged = true, failure = false } = {}) {
  const app = await launch(t, { packaged });
  const updates: AppImageUpdate[] = [];
  const window = app.windows[0];
  const install = () =>
    installUpdate(app.api, window as never, '1.3.0', async (update) => {
      updates.push(update);
      update.onProgress?.(0.5);
      if (failure) throw new LocusError('not-fetched', 'It failed.', 'Try again.');
    });
  return { app, updates, window, install };
}

test('an update is installed after the user agreed in a dialog of the app', async (t) => {
  const { app, updates, window, install } = await prepare(t);
  assert.equal(await install(), true);
  assert.equal(updates.length, 1);
  const [{ onProgress: _, ...update } = assert.fail()] = updates;
  assert.deepEqual(update, {
    file: APP_IMAGE,
    configuration: join(RESOURCES, 'app-update.yml'),
    installed: '1.2.3',
    version: '1.3.0',
  });
  assert.ok(
    app.log.some((line) =>
      line.startsWith(`asked Download Locus 1.3.0 and replace this one? ${APP_IMAGE}`),
    ),
  );
  assert.deepEqual(window.calls.slice(-2), ['progress 0.5', 'progress -1']);
});

test('nothing is downloaded if the user refuses, and a failure ends the progress', async (t) => {
  const refused = await prepare(t);
  refused.app.answers.message = 1;
  assert.equal(await refused.install(), false);
  assert.deepEqual(refused.updates, []);
  const failed = await prepare(t, { failure: true });
  await assert.rejects(failed.install(), { code: 'not-fetched' });
  assert.equal(failed.window.calls.at(-1), 'progress -1');
});

test('electron-updater is loaded only after the user agreed', async (t) => {
  const loaded = () =>
    Object.keys(createRequire(import.meta.url).cache).filter((path) =>
      path.includes('electron-updater'),
    );
  const { app, window } = await prepare(t);
  const install = () => installUpdate(app.api, window as never, '1.3.0');
  app.answers.message = 1;
  assert.equal(await install(), false);
  assert.deepEqual(loaded(), []);
  app.answers.message = 0;
  process.env.APPIMAGE = join(app.folder, 'Locus.AppImage');
  // There is no configuration here.
  await assert.rejects(install(), {
    code: 'not-fetched',
    message: /^The update failed \(ENOENT\)/,
  });
  assert.notEqual(loaded().length, 0);
});

test('only the AppImage can replace itself: no checkout, and no deb, rpm, dmg or installer', async (t) => {
  const checkout = await prepare(t, { packaged: false });
  await assert.rejects(checkout.install(), { code: 'bad-input' });
  delete process.env.APPIMAGE;
  const installed = await prepare(t);
  await assert.rejects(installed.install(), { code: 'bad-input' });
  assert.deepEqual([...checkout.updates, ...installed.updates], []);
  for (const app of [checkout.app, installed.app])
    assert.ok(!app.log.some((line) => line.startsWith('asked')));

  const canInstall = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv) =>
    createBridge({ on: () => {} } as never, {} as never, {} as never, { platform, env })
      .canInstallUpdates;
  assert.equal(canInstall('linux', { APPIMAGE: APP_IMAGE }), true);
  assert.equal(canInstall('linux', {}), false);
  assert.equal(canInstall('darwin', { APPIMAGE: APP_IMAGE }), false);
});
