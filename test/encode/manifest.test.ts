import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { listModels, loadManifest, verifyModel } from '../../src/engine/encode/manifest.ts';
import { BAG_1, bagManifest, folderWith } from './model-folder.ts';

const files = { 'model.json': bagManifest(), 'vocab.txt': 'a\n', 'model.onnx': 'weights' };

/** Matches a LocusError with this code and a matching message. */
function locusError(code: string, message: RegExp) {
  return (error: Error & { code?: string; remedy?: string }) => {
    assert.equal(error.name, 'LocusError');
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.ok(error.remedy);
    return true;
  };
}

test('the model that comes with Locus is complete', async () => {
  const manifest = await verifyModel(BAG_1);
  assert.equal(manifest.id, 'bag-1');
  assert.equal(manifest.dimensions, 512);
});

test('a missing or malformed manifest is reported with the problem', async (t) => {
  const empty = await folderWith(t, {});
  await assert.rejects(loadManifest(empty), locusError('bad-model', /model\.json cannot be read/));
  const noJson = await folderWith(t, { 'model.json': '{ "id": ' });
  await assert.rejects(
    loadManifest(noJson),
    locusError('bad-model', /model\.json is not valid JSON/),
  );
  const noKind = await folderWith(t, { ...files, 'model.json': bagManifest({ kind: 'oracle' }) });
  await assert.rejects(loadManifest(noKind), locusError('bad-model', /kind/));
  const bad = await folderWith(t, { ...files, 'model.json': bagManifest({ dimensions: 'many' }) });
  await assert.rejects(loadManifest(bad), locusError('bad-model', /dimensions/));
});

test('a file that the manifest lists must be in the folder', async (t) => {
  const { 'vocab.txt': _, ...rest } = files;
  const folder = await folderWith(t, rest);
  await assert.rejects(loadManifest(folder), locusError('bad-model', /lacks vocab\.txt/));
  const outside = bagManifest({ files: { cpu: '../model.onnx' } });
  const leaving = await folderWith(t, { ...files, 'model.json': outside });
  await assert.rejects(loadManifest(leaving), locusError('bad-model', /plain file name/));
});

test('a damaged file is found by its digest', async (t) => {
  const sha256 = Object.fromEntries(
    (['vocab.txt', 'model.onnx'] as const).map((name) => [
      name,
      createHash('sha256').update(files[name]).digest('hex'),
    ]),
  );
  const folder = await folderWith(t, { ...files, 'model.json': bagManifest({ sha256 }) });
  await verifyModel(folder);
  await writeFile(join(folder, 'model.onnx'), 'wEights');
  await assert.rejects(verifyModel(folder), locusError('bad-model', /model\.onnx is damaged/));
});

test('the models of a folder are listed, unusable ones with the reason', async (t) => {
  const models = await folderWith(t, { 'notes.txt': '' });
  await mkdir(join(models, 'empty'));
  await rename(await folderWith(t, files), join(models, 'good'));
  await rename(await folderWith(t, { 'model.json': '{}' }), join(models, 'broken'));
  const [broken, good, ...others] = await listModels(models);
  assert.ok('error' in broken && broken.folder.endsWith('broken'));
  assert.ok('manifest' in good && good.manifest.id === 'tiny-bag');
  assert.deepEqual(others, []);
  await assert.rejects(listModels(join(models, 'nowhere')), locusError('bad-model', /nowhere/));
});
