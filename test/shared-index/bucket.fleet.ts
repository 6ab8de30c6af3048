/* A shared index in a bucket of a real server: what goes wrong on the way, and two publishers at once. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openObjects } from '../../src/services/objects/open.ts';
import { readCatalog } from '../../src/services/shared-index/catalog.ts';
import { writeSharedSource } from '../../src/services/shared-index/setup.ts';
import { type Moto, pretendToBeSomebody, startMoto } from '../fleet/moto.ts';
import { proxyTo } from '../fleet/tcp-proxy.ts';
import { assertSameIndex } from '../support/dump.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { indexIn, keyOf, publishFrom, pullInto } from './laptops.ts';

describe('a shared index in a bucket', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  let root: string;
  let moto: Moto;
  const bucket = (endpoint = moto.endpoint, name = 'acme') =>
    `s3://${name}/locus?endpoint=${endpoint}`;
  before(async () => {
    pretendToBeSomebody();
    moto = await startMoto();
    await moto.makeBucket('acme');
    root = gitRepository(syntheticPackage(80));
    await publishFrom(root, at('first'), bucket());
    await indexIn(root, at('alone'));
  });
  after(async () => {
    await moto.stop();
    removeFolder(folder);
    removeFolder(root);
  });

  it('is shared by two laptops', async () => {
    writeSharedSource(at('second'), { from: bucket(), keys: [await keyOf(at('first'))] });
    const report = await indexIn(root, at('second'));
    assert.equal(report.filesParsed + report.chunksEncoded, 0);
    assertSameIndex(at('second'), at('alone'));
  });

  it('is found by location and key', async () => {
    const { taken, report } = await pullInto(root, at('third'), bucket(), [
      await keyOf(at('first')),
    ]);
    assert.equal(taken?.behind, 0);
    assert.equal(report.filesParsed + report.chunksEncoded, 0);
    assertSameIndex(at('third'), at('alone'));
  });

  it('arrives over a connection that is cut again and again', async () => {
    const met = new Map<string, number>();
    const proxy = await proxyTo(moto.port, ({ url = '', method }) => {
      const times = (met.get(url) ?? 0) + 1;
      met.set(url, times);
      if (method !== 'GET' || times > 2) return 'through';
      return times === 1 ? { cutAnswerAfter: 300 } : 'cut before';
    });
    const keys = [await keyOf(at('first'))];
    const { taken, report } = await pullInto(root, at('cut'), bucket(proxy.endpoint), keys);
    await proxy.close();
    assert.equal(taken?.behind, 0);
    assert.equal(report.filesParsed, 0);
    assert.ok(Math.max(...met.values()) >= 3);
    assertSameIndex(at('cut'), at('alone'));
  });

  it('is continued after it stopped in the middle', async () => {
    let parts = 0;
    const proxy = await proxyTo(moto.port, ({ url = '' }) =>
      url.includes('/parts/') && ++parts > 3 ? 'cut before' : 'through',
    );
    const keys = [await keyOf(at('first'))];
    const pulled = pullInto(root, at('stopped'), bucket(proxy.endpoint), keys);
    await assert.rejects(pulled, { code: 'bad-objects', message: /could not be transferred/ });
    await proxy.close();
    const { report } = await pullInto(root, at('stopped'), bucket(), keys);
    assert.equal(report.filesParsed, 0);
    assertSameIndex(at('stopped'), at('alone'));
  });

  it('is published over a connection that is cut', async () => {
    await moto.makeBucket('cut');
    const met = new Map<string, number>();
    const proxy = await proxyTo(moto.port, ({ url = '', method }) => {
      const times = (met.get(url) ?? 0) + 1;
      met.set(url, times);
      // The server has stored it, but the sender does not learn that.
      return method === 'PUT' && times === 1 ? { cutAnswerAfter: 0 } : 'through';
    });
    const report = await publishFrom(root, at('first'), bucket(proxy.endpoint, 'cut'));
    await proxy.close();
    assert.equal(report.sent, report.parts);
    const keys = [await keyOf(at('first'))];
    const { taken } = await pullInto(root, at('of-cut'), bucket(moto.endpoint, 'cut'), keys);
    assert.equal(taken?.behind, 0);
  });

  it('is continued after a full bucket has space again', async () => {
    await moto.makeBucket('full');
    let puts = 0;
    const full =
      '<?xml version="1.0"?><Error><Code>XMinioStorageFull</Code><Message>x</Message></Error>';
    const proxy = await proxyTo(moto.port, ({ method }) =>
      method === 'PUT' && ++puts > 4 ? { status: 507, body: full } : 'through',
    );
    await assert.rejects(publishFrom(root, at('first'), bucket(proxy.endpoint, 'full')), {
      code: 'bad-objects',
      message: /the bucket is full/,
      remedy: /Increase its quota/,
    });
    await proxy.close();
    const keys = [await keyOf(at('first'))];
    const none = await pullInto(root, at('of-full'), bucket(moto.endpoint, 'full'), keys);
    assert.equal(none.taken, null);
    const report = await publishFrom(root, at('first'), bucket(moto.endpoint, 'full'));
    assert.ok(report.sent < report.parts && report.sent > 0);
  });

  it('is missing if the bucket is', async () => {
    const pulled = pullInto(root, at('no-bucket'), bucket(moto.endpoint, 'nowhere'), []);
    await assert.rejects(pulled, { code: 'bad-objects', message: /the bucket does not exist/ });
  });

  it('has both indexes of two concurrent publishers', async () => {
    await moto.makeBucket('both');
    const branches = ['one', 'two', 'three'];
    for (const branch of branches) {
      git(root, 'checkout', '-qb', branch, 'main');
      writeFiles(root, { [`pkg/${branch}.py`]: `def of_${branch}():\n    return 1\n` });
      git(root, 'add', '-A');
      git(root, 'commit', '-qm', branch);
      mkdirSync(at(`of-${branch}`), { recursive: true });
      cpSync(join(at('first'), 'publisher.key'), join(at(`of-${branch}`), 'publisher.key'));
    }
    const reports = await Promise.all(
      branches.map((branch) =>
        publishFrom(root, at(`of-${branch}`), bucket(moto.endpoint, 'both'), {
          at: branch,
        }),
      ),
    );
    const objects = await openObjects(bucket(moto.endpoint, 'both'));
    const { entries } = await readCatalog(objects, basename(root));
    objects.close();
    assert.deepEqual(
      entries.map(({ commit }) => commit).sort(),
      reports.map(({ commit }) => commit).sort(),
    );
    for (const branch of branches) {
      git(root, 'checkout', '-q', branch);
      const keys = [await keyOf(at('first'))];
      const to = at(`reads-${branch}`);
      const { taken, report } = await pullInto(root, to, bucket(moto.endpoint, 'both'), keys);
      assert.equal(taken?.behind, 0);
      assert.equal(report.filesParsed, 0);
    }
    git(root, 'checkout', '-q', 'main');
  });
});
