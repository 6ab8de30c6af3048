/** The rehearsal of a release, with the packages of this machine. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type WrittenPackages, writePackages } from '../scripts/pack.ts';
import { rehearse } from '../scripts/rehearsal/rehearsal.ts';
import { removeFolder, temporaryFolder } from '../test/support/repository.ts';

describe('the rehearsal of a release', {
  skip: process.platform !== 'linux' && 'paths differ',
}, () => {
  let folder: string;
  let packages: WrittenPackages;
  before(async () => {
    folder = temporaryFolder('locus-release-');
    packages = await writePackages(join(folder, 'npm'));
  });
  after(() => removeFolder(folder));

  it('gives the same bytes each time, so that anyone can compare a package with their own', async () => {
    const again = await writePackages(join(folder, 'again'));
    const digest = ({ main, models, platforms }: WrittenPackages) =>
      [main, models, ...platforms.values()].map((path) =>
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      );
    assert.deepEqual(digest(again), digest(packages));
  });

  it('installs, uses and removes the packages', async () => {
    const { where, steps } = await rehearse(join(folder, 'npm'));
    const failed = steps.filter(({ problem }) => problem !== null);
    assert.deepEqual(failed, [], where);
    assert.equal(steps.length, 7);
  });

  it('fails at the first step if a package is missing', async () => {
    removeFolder(packages.models);
    const { steps } = await rehearse(join(folder, 'npm'));
    assert.equal(steps.length, 1);
    assert.match(steps[0]?.problem ?? '', /locus-edit-models/);
  });
});
