/** The rehearsal of a release, with the packages of this machine. */

import assert from 'node:assert/strict';
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
