import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import AdmZip from 'adm-zip';
import { createBundleManifest, writeMcpBundles } from '../../scripts/mcp-bundle.ts';
import { NAMES } from '../../scripts/release/names.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const ROOT = join(import.meta.dirname, '../..');
const project = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const MAC = ['darwin-arm64', 'darwin-x64'];

describe('the bundle of the MCP server', () => {
  let folder: string;
  let bundles: Map<string, string>;
  let zip: AdmZip;
  before(() => {
    folder = temporaryFolder('locus-bundle-');
    const at = (name: string) => join(folder, 'staged/node_modules', name);
    for (const name of [
      'locus-edit',
      'locus-edit-models',
      ...MAC.map((one) => `locus-edit-${one}`),
    ])
      writeFiles(at(name), { 'package.json': '{}', LICENSE: 'text', 'bin/locus.js': '' });
    const platforms = new Map(
      [...MAC, 'linux-x64'].map((name) => [name, at(`locus-edit-${name}`)] as const),
    );
    const staged = { main: at('locus-edit'), models: at('locus-edit-models'), platforms };
    bundles = writeMcpBundles(ROOT, folder, staged, project);
    zip = new AdmZip(bundles.get('darwin'));
  });
  after(() => removeFolder(folder));

  it('is made for each system whose packages are all there', () => {
    assert.deepEqual(
      [...bundles],
      [['darwin', join(folder, `locus-edit-${project.version}-darwin.mcpb`)]],
    );
  });

  it('has the packages for every processor of the system, the picture and the license', () => {
    const names = zip.getEntries().map(({ entryName }) => entryName);
    for (const name of ['', '-models', '-darwin-arm64', '-darwin-x64'])
      assert.ok(names.includes(`node_modules/locus-edit${name}/LICENSE`), name);
    for (const name of ['manifest.json', 'icon.png', 'LICENSE']) assert.ok(names.includes(name));
  });

  it('has a manifest that starts a program in the bundle', () => {
    const manifest = JSON.parse(zip.readAsText('manifest.json'));
    assert.deepEqual(manifest, createBundleManifest(project, 'darwin'));
    const { entry_point, mcp_config } = manifest.server;
    assert.notEqual(zip.getEntry(entry_point), null);
    assert.notEqual(zip.getEntry(manifest.icon), null);
    assert.equal(mcp_config.command, 'node');
    assert.equal(mcp_config.args[0].replace(/^\$\{__dirname\}\//, ''), entry_point);
    assert.deepEqual(manifest.compatibility.platforms, ['darwin']);
  });

  it('has what version 0.3 of the format demands', () => {
    const manifest = createBundleManifest(project, 'linux');
    assert.equal(manifest.manifest_version, '0.3');
    for (const field of ['name', 'version', 'description'] as const)
      assert.ok(manifest[field].length > 0, field);
    assert.ok(manifest.author.name.length > 0);
    assert.equal(manifest.name, NAMES.npm);
    for (const url of [manifest.homepage, manifest.support, manifest.repository.url])
      assert.ok(URL.canParse(url), url);
    // Each variable of the user has a setting, and the other way round.
    const [used] = [...manifest.server.mcp_config.args.join(' ').matchAll(/user_config\.(\w+)/g)];
    assert.deepEqual(Object.keys(manifest.user_config), [used?.[1]]);
    for (const option of Object.values(manifest.user_config))
      assert.ok(option.type === 'directory' && option.title && option.description);
  });
});
