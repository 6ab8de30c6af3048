import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { it } from 'node:test';
import { assertNoPlaceholders, getPlatformPackage, NAMES } from '../../scripts/release/names.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));

it('files that cannot import the names have the same ones', () => {
  assert.equal(manifest.name, NAMES.npm);
  assert.equal(manifest.repository, NAMES.repository);
  assert.deepEqual(Object.keys(manifest.bin), [NAMES.command, NAMES.alias]);
  const lock = JSON.parse(read('package-lock.json'));
  assert.deepEqual([lock.name, lock.packages[''].name], [NAMES.npm, NAMES.npm]);
  const extension = JSON.parse(read('extensions/vscode/package.json'));
  assert.equal(extension.name, NAMES.vscodeExtension);
  assert.equal(extension.publisher, NAMES.vscodePublisher);
  const desktop = createRequire(import.meta.url)('js-yaml').load(read('electron-builder.yml'));
  assert.equal(desktop.appId, NAMES.desktopApp);
  assert.equal(desktop.publish.url, `${NAMES.repository}/releases/latest/download`);
  assert.equal(desktop.extraMetadata.homepage, NAMES.homepage);
  assert.equal(desktop.extraMetadata.author.email, NAMES.contact);
  const own = /uses: (\S+)@v/g;
  const actions = [...read('docs/how-to/rank-new-issues.md').matchAll(own)].map(([, name]) => name);
  assert.deepEqual(new Set(actions), new Set([new URL(NAMES.repository).pathname.slice(1)]));
  const images = read('docs/how-to/run-in-a-container.md').match(/ghcr\.io\S+/g) ?? [];
  assert.deepEqual([...new Set(images)], [NAMES.dockerImage]);
});

it('every version is the same', () => {
  assert.equal(JSON.parse(read('extensions/vscode/package.json')).version, manifest.version);
  const [...uses] = read('docs/how-to/rank-new-issues.md').matchAll(/uses: [^@]+@v(\S+)/g);
  assert.deepEqual(new Set(uses.map(([, version]) => version)), new Set([manifest.version]));
});

it('names have the form that their registries accept', () => {
  for (const name of [NAMES.npm, NAMES.npmModels, getPlatformPackage('linux-x64-musl')])
    assert.match(name, /^[a-z][a-z-]*[a-z0-9-]*$/);
  assert.match(NAMES.desktopApp, /^[a-z0-9-]+(\.[a-z0-9-]+){2,}$/);
  assert.match(NAMES.mcpServer, /^[a-z0-9.-]+\/[a-z0-9-]+$/);
  assert.match(NAMES.dockerImage, /^ghcr\.io\/[a-z0-9-]+\/[a-z0-9-]+$/);
});

it('a release refuses placeholders, and names each', () => {
  assert.throws(
    () => assertNoPlaceholders(),
    (error: Error) =>
      ['mcpServer', 'homepage', 'repository', 'contact'].every((key) =>
        error.message.includes(`  ${key}: ${NAMES[key as keyof typeof NAMES]}\n`),
      ) && error.message.includes('scripts/release/names.ts'),
  );
  assertNoPlaceholders({ homepage: 'https://example.org', npm: NAMES.npm });
});
