import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { createArchPackage } from '../../scripts/release/manifests/aur.ts';
import { createFormula } from '../../scripts/release/manifests/homebrew.ts';
import { createRegistryEntry } from '../../scripts/release/manifests/mcp-registry.ts';
import { MissingArtifactError, type Release } from '../../scripts/release/manifests/release.ts';
import { createScoopManifest } from '../../scripts/release/manifests/scoop.ts';
import { createWingetManifests } from '../../scripts/release/manifests/winget.ts';
import { listArtifacts, writeChecksums, writeManifests } from '../../scripts/release/manifests.ts';
import { NAMES } from '../../scripts/release/names.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const VERSION = '1.2.3';
const FILES = [
  `locus-edit-${VERSION}.tgz`,
  'locus-edit-models-1.0.0-content.h0123456789ab.tgz',
  ...['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(
    (platform) => `locus-edit-${platform}-${VERSION}.tgz`,
  ),
  `locus-edit-${VERSION}-win-x64.exe`,
  `locus-edit-${VERSION}-win-x64.zip`,
];
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const releaseOf = (changes: Partial<Release> = {}): Release => ({
  version: VERSION,
  summary: 'Find where to edit',
  description: 'Find where to edit. On your machine.',
  license: 'MIT',
  digests: new Map(FILES.map((name) => [name, digestOf(name)])),
  ...changes,
});
const registryUrl = (name: string, file: string) => `https://registry.npmjs.org/${name}/-/${file}`;

/** Text that every format has to escape. */
const HOSTILE = `It's "fast": #{1 + 1} $(touch x) \`id\` \\ {{a}} # 100%`;

describe('the formula for Homebrew', () => {
  const render = (release = releaseOf()) => createFormula(release)['locus-edit.rb'] ?? '';

  it('pins each package by address and digest, and depends on Node', () => {
    const text = render();
    assert.match(text, /^class LocusEdit < Formula\n {2}desc "Find where to edit"\n/);
    assert.match(text, /\n {2}depends_on "node"\n/);
    const pinned = [...text.matchAll(/url "(.+)"\n +sha256 "(.+)"\n/g)];
    const files = FILES.filter((name) => name.endsWith('.tgz')).sort();
    assert.deepEqual(pinned.map(([, url = '']) => url.split('/').at(-1)).sort(), files);
    for (const [, url = '', digest] of pinned)
      assert.equal(digest, digestOf(url.split('/').at(-1) ?? ''));
    assert.ok(text.includes(registryUrl('locus-edit', `locus-edit-${VERSION}.tgz`)));
  });

  it('gives each system and processor its package', () => {
    const text = render();
    for (const [system, npm] of [
      ['macos', 'darwin'],
      ['linux', 'linux'],
    ])
      for (const [cpu, arch] of [
        ['arm', 'arm64'],
        ['intel', 'x64'],
      ]) {
        const block = text.slice(text.indexOf(`  on_${system} do`));
        const [, url] = /url "(.+)"/.exec(block.slice(block.indexOf(`on_${cpu} do`))) ?? [];
        assert.ok(url?.endsWith(`/locus-edit-${npm}-${arch}-${VERSION}.tgz`), url);
      }
  });

  it('closes each block, and escapes strings', () => {
    const text = render(releaseOf({ summary: HOSTILE }));
    const openings = text.match(/^ *(?:class|def)\b.*$|\bdo$/gm) ?? [];
    assert.equal(text.match(/^ *end$/gm)?.length, openings.length);
    const [, quoted = ''] = /^ {2}desc (.+)$/m.exec(text) ?? [];
    assert.doesNotMatch(quoted, /(?<!\\)#/);
    assert.equal(JSON.parse(quoted.replaceAll('\\#', '#')), HOSTILE);
  });
});

describe('the package for the AUR', () => {
  const create = (release = releaseOf()) => createArchPackage(release);

  /** Runs a script with the variables of the package, as makepkg does. */
  const source = (text: string, script: string) =>
    execFileSync('bash', ['-euc', `${text}\n${script}`], { encoding: 'utf8' });

  it('is valid for bash, and escapes the description', () => {
    const { PKGBUILD = '' } = create(releaseOf({ summary: HOSTILE }));
    execFileSync('bash', ['-n'], { input: PKGBUILD });
    assert.equal(source(PKGBUILD, 'printf %s "$pkgdesc"'), HOSTILE);
  });

  it('has a digest for each source, and extracts none', () => {
    const { PKGBUILD = '' } = create();
    for (const [suffix, count] of [
      ['', 2],
      ['_x86_64', 1],
      ['_aarch64', 1],
    ] as const) {
      const list = (name: string) =>
        source(PKGBUILD, `printf '%s\\n' "\${${name}[@]}"`).trim().split('\n');
      const names = list(`source${suffix}`).map((url) => url.split('/').at(-1) ?? '');
      assert.equal(names.length, count);
      assert.deepEqual(list(`sha256sums${suffix}`), names.map(digestOf));
      for (const name of names) assert.ok(list('noextract').includes(name), name);
    }
  });

  it('has the same values in .SRCINFO, which has one line for each', () => {
    const release = releaseOf({ version: VERSION, summary: 'Two\nlines' });
    const { PKGBUILD = '', '.SRCINFO': information = '' } = create(release);
    const lines = information.trimEnd().split('\n');
    assert.equal(lines[0], 'pkgbase = locus-edit');
    assert.deepEqual(lines.slice(-2), ['', 'pkgname = locus-edit']);
    assert.ok(lines.includes('\tpkgdesc = Two lines'));
    for (const line of lines.slice(2, -2)) {
      const [, name, value] = /^\t(\w+) = (.+)$/.exec(line) ?? [];
      const values = source(PKGBUILD, `printf '%s\\n' "\${${name}[@]}"`).split('\n');
      assert.ok(values.includes(value ?? ''), line);
    }
  });

  it('has a version without a hyphen', () => {
    const version = '1.2.3-rc.1';
    const files = FILES.map((name) => name.replace(VERSION, version));
    const digests = new Map(files.map((name) => [name, digestOf(name)]));
    assert.match(create(releaseOf({ version, digests })).PKGBUILD ?? '', /^pkgver='1.2.3_rc.1'$/m);
  });
});

describe('the manifests for winget', () => {
  const files = createWingetManifests(releaseOf({ description: HOSTILE }));
  const parsed = Object.entries(files).map(([name, text]) => ({ name, text, ...parse(text) }));

  it('are three, each with its schema', () => {
    const kinds = parsed.map(({ name, ManifestType }) => [name, ManifestType]);
    assert.deepEqual(kinds, [
      [`${NAMES.winget}.yaml`, 'version'],
      [`${NAMES.winget}.installer.yaml`, 'installer'],
      [`${NAMES.winget}.locale.en-US.yaml`, 'defaultLocale'],
    ]);
    for (const {
      text,
      ManifestType,
      ManifestVersion,
      PackageIdentifier,
      PackageVersion,
    } of parsed) {
      const schema = `https://aka.ms/winget-manifest.${ManifestType}.${ManifestVersion}.schema.json`;
      assert.ok(text.startsWith(`# yaml-language-server: $schema=${schema}\n`));
      assert.deepEqual([PackageIdentifier, PackageVersion], [NAMES.winget, VERSION]);
    }
    assert.match(NAMES.winget, /^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$/);
  });

  it('have the digest of the installer, and escape the description', () => {
    const [version, installer, locale] = parsed;
    assert.equal(version?.DefaultLocale, locale?.PackageLocale);
    const [{ InstallerUrl, InstallerSha256 }] = installer?.Installers ?? [];
    const name = `locus-edit-${VERSION}-win-x64.exe`;
    assert.equal(InstallerUrl, `${NAMES.repository}/releases/download/v${VERSION}/${name}`);
    assert.equal(InstallerSha256, digestOf(name).toUpperCase());
    assert.equal(locale?.Description, HOSTILE);
    for (const [field, limit] of [
      ['ShortDescription', 256],
      ['Publisher', 256],
      ['Moniker', 40],
    ] as const)
      assert.ok(locale?.[field].length >= 2 && locale[field].length <= limit, field);
  });
});

describe('the manifest for Scoop', () => {
  const { 'locus-edit.json': text = '' } = createScoopManifest(releaseOf({ summary: HOSTILE }));
  const manifest = JSON.parse(text);
  const name = `locus-edit-${VERSION}-win-x64.zip`;

  it('has the address and digest of the portable app', () => {
    assert.equal(manifest.description, HOSTILE);
    const url = `${NAMES.repository}/releases/download/v${VERSION}/${name}`;
    assert.deepEqual(manifest.architecture, { '64bit': { url, hash: digestOf(name) } });
    assert.deepEqual(manifest.shortcuts, [['Locus.exe', 'Locus']]);
  });

  it('finds the next version, its address and its digest', () => {
    const { autoupdate, checkver, architecture } = manifest;
    assert.deepEqual(checkver, { github: NAMES.repository });
    const { url } = autoupdate.architecture['64bit'];
    assert.equal(url.replaceAll('$version', VERSION), architecture['64bit'].url);
    assert.deepEqual(autoupdate.hash, { url: '$baseurl/SHA256SUMS' });
  });
});

it('the entry of the MCP Registry runs `locus-edit mcp` with npx', () => {
  const description = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  ).description;
  const { 'server.json': text = '' } = createRegistryEntry(releaseOf({ description }));
  const entry = JSON.parse(text);
  assert.match(
    entry.$schema,
    /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\d-]+\/server\.schema\.json$/,
  );
  // The registry's limits.
  assert.match(entry.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(entry.description.length <= 100, entry.description);
  assert.equal(entry.name, NAMES.mcpServer);
  const [npm, ...others] = entry.packages;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [npm.registryType, npm.identifier, npm.version, npm.runtimeHint, npm.transport.type],
    ['npm', 'locus-edit', VERSION, 'npx', 'stdio'],
  );
  assert.deepEqual(npm.packageArguments, [{ type: 'positional', value: 'mcp' }]);
});

it('each manifest names the artifact that it lacks', () => {
  for (const [create, name] of [
    [createFormula, `locus-edit-darwin-arm64-${VERSION}.tgz`],
    [createFormula, 'locus-edit-models-1.0.0-content.h0123456789ab.tgz'],
    [createArchPackage, `locus-edit-linux-arm64-${VERSION}.tgz`],
    [createWingetManifests, `locus-edit-${VERSION}-win-x64.exe`],
    [createScoopManifest, `locus-edit-${VERSION}-win-x64.zip`],
    [createRegistryEntry, `locus-edit-${VERSION}.tgz`],
  ] as const) {
    const release = releaseOf();
    const digests = new Map([...release.digests].filter(([other]) => other !== name));
    assert.throws(
      () => create({ ...release, digests }),
      (error: Error) =>
        error instanceof MissingArtifactError &&
        error.message.startsWith(name.replace(/1\.0\.0-content.*/, '<version>.tgz')),
      name,
    );
  }
});

describe('the manifests of a folder', () => {
  let folder: string;
  const write = () => writeManifests(folder);
  before(() => {
    folder = temporaryFolder('locus-manifests-');
  });
  after(() => removeFolder(folder));

  it('are written if their artifacts are there, and otherwise listed with the reason', () => {
    writeFiles(folder, {
      'npm/locus-edit-0.1.0.tgz': 'main',
      'npm/locus-edit-models-1.0.0-content.h1.tgz': 'models',
      'npm/linux-x64/locus-edit-linux-x64-0.1.0.tgz': 'x64',
      'npm/linux-arm64/locus-edit-linux-arm64-0.1.0.tgz': 'arm64',
    });
    assert.deepEqual(write(), [
      ['manifest for homebrew', 'locus-edit-darwin-arm64-0.1.0.tgz was not made here.'],
      ['manifest for winget', 'locus-edit-0.1.0-win-x64.exe was not made here.'],
      ['manifest for scoop', 'locus-edit-0.1.0-win-x64.zip was not made here.'],
    ]);
    const written = listArtifacts(folder).filter((path) => path.startsWith('manifests/'));
    assert.deepEqual(written, [
      'manifests/aur/.SRCINFO',
      'manifests/aur/PKGBUILD',
      'manifests/mcp-registry/server.json',
    ]);
    assert.ok(readFileSync(join(folder, written[1] ?? ''), 'utf8').includes(digestOf('arm64')));
  });

  it('are in the checksums, as is every other file', () => {
    writeFiles(folder, { 'sbom.spdx.json': '{}' });
    write();
    writeChecksums(folder);
    const lines = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    const names = lines.map((line) => line.slice(66)).sort();
    const paths = listArtifacts(folder);
    assert.deepEqual(names, paths.map((path) => path.split('/').at(-1)).sort());
    assert.ok(!paths.includes('SHA256SUMS') && existsSync(join(folder, 'SHA256SUMS')));
    assert.ok(lines.includes(`${digestOf('{}')}  sbom.spdx.json`));
  });

  it('need distinct file names, as the release page has no folders', () => {
    writeFiles(folder, { 'other/sbom.spdx.json': '{}' });
    assert.throws(write, /^Error: Two artifacts have the name sbom\.spdx\.json\.$/);
  });
});
