import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import AdmZip from 'adm-zip';
import { findMissingLicenses } from '../../scripts/release/licenses.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { createTarball } from '../support/tar.ts';

it('archives without the license or the notices are named', () => {
  const folder = temporaryFolder('locus-licenses-');
  const tarball = (name: string, ...paths: string[]) =>
    writeFileSync(
      join(folder, name),
      createTarball(paths.map((path) => ({ path, content: 'text' }))),
    );
  const zip = (name: string, ...paths: string[]) => {
    const archive = new AdmZip();
    for (const path of paths) archive.addFile(path, Buffer.from('text'));
    archive.writeZip(join(folder, name));
  };
  try {
    tarball('locus-edit-1.2.3.tgz', 'package/LICENSE', 'package/bin/locus.js');
    tarball('locus-edit-models-1.0.0.tgz', 'package/LICENSE', 'package/bag-1/model.json');
    tarball('locus-edit-linux-x64-1.2.3.tgz', 'package/THIRD-PARTY-NOTICES.txt');
    zip('a.vsix', 'extension/LICENSE.txt', 'extension/THIRD-PARTY-NOTICES.txt');
    zip('a.mcpb', 'manifest.json');
    writeFiles(folder, { 'sbom.spdx.json': '{}' });
    assert.deepEqual(findMissingLicenses(folder), [
      'a.mcpb: no LICENSE',
      'a.mcpb: no THIRD-PARTY-NOTICES.txt',
      'locus-edit-linux-x64-1.2.3.tgz: no LICENSE',
      'locus-edit-models-1.0.0.tgz: no THIRD-PARTY-NOTICES.txt',
    ]);
  } finally {
    removeFolder(folder);
  }
});
