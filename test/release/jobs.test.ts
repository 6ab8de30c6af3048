/** Scripts of the jobs of a release, with doubles of the programs and servers that they use. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { assemble, renderNotes } from '../../scripts/release/assemble.ts';
import { checkTag } from '../../scripts/release/check-tag.ts';
import { collectInstallers, planSigning } from '../../scripts/release/desktop.ts';
import { draftRelease } from '../../scripts/release/draft.ts';
import { IMAGE_PROCESSORS, IMAGE_STEPS } from '../../scripts/release/image.ts';
import { NAMES } from '../../scripts/release/names.ts';
import { publishExtension, publishToOpenVsx } from '../../scripts/release/publish-extension.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('locus-jobs-');
});
afterEach(() => removeFolder(folder));

const read = (path: string) => readFileSync(join(folder, path), 'utf8');

describe('the tag of a release', () => {
  const changelog = '# Changelog\n\n## 0.1.0 - 2026-12-01\n\n- Searches.\n';

  it('is that of the version and of the newest section of the changelog', () => {
    checkTag('v0.1.0', '0.1.0', changelog);
    checkTag('v0.1.0', '0.1.0', changelog.replace('0.1.0', '[0.1.0]'));
    checkTag('v0.2.0-rc.1', '0.2.0-rc.1', changelog.replace('0.1.0', '0.2.0-rc.1'));
  });

  it('otherwise stops it, with the remedy', () => {
    assert.throws(() => checkTag('v0.2.0', '0.1.0', changelog), /Tag v0\.1\.0, or set the version/);
    for (const heading of [
      'Unreleased: 0.1.0',
      '0.1.0',
      '0.1.0 - 2026-13-01',
      '0.0.9 - 2026-11-01',
    ])
      assert.throws(
        () => checkTag('v0.1.0', '0.1.0', changelog.replace('0.1.0 - 2026-12-01', heading)),
        /Write "## 0\.1\.0 - " and the date/,
        heading,
      );
    assert.throws(() => checkTag('v0.1.0', '0.1.0', ''), /The newest section/);
  });
});

describe('the folder of a release', () => {
  const PARTS = {
    'parts/packages/release-notes.md':
      '## 0.1.0 - 2026-12-01\n\n### Search\n\n- Twelve languages.\n',
    'parts/packages/SHA256SUMS': 'old',
    'parts/packages/manifests/scoop/locus.json': 'without the digests of other systems',
    'parts/packages/npm/a-0.1.0.tgz': 'a',
    'parts/packages/npm/linux-x64/b-0.1.0.tgz': 'b',
    'parts/desktop-linux/Locus.AppImage': 'app',
    'parts/desktop-linux/signing-linux.txt': 'Linux: no signature.\n',
    'parts/desktop-mac/signing-darwin.txt': 'macOS: signed and notarized.\n',
  };
  const build = () => assemble(join(folder, 'parts'), join(folder, 'all'));

  it('has every file with its checksum, and notes', () => {
    writeFiles(folder, { ...PARTS, 'all/old.txt': 'of an earlier run' });
    build();
    const files = ['Locus.AppImage', 'a-0.1.0.tgz', 'b-0.1.0.tgz'];
    const written = [...files, 'SHA256SUMS', 'release-notes.md'];
    assert.deepEqual(readdirSync(join(folder, 'all')).sort(), written.sort());
    const digest = (name: string) =>
      createHash('sha256')
        .update(read(`all/${name}`))
        .digest('hex');
    assert.equal(
      read('all/SHA256SUMS'),
      files.map((name) => `${digest(name)}  ${name}\n`).join(''),
    );
  });

  it('says in the notes what is new, what is signed, and how to verify', () => {
    writeFiles(folder, PARTS);
    build();
    const notes = read('all/release-notes.md');
    assert.match(notes, /^### Search\n\n- Twelve languages\.\n/);
    assert.match(notes, /- Linux: no signature\.\n- macOS: signed and notarized\.\n/);
    assert.match(notes, /sha256sum --check --ignore-missing SHA256SUMS/);
    assert.match(notes, /gh attestation verify <file> --repo [\w-]+\/locus-edit\n/);
    assert.match(renderNotes('## 1\n\nText', []), /There is no desktop app/);
    const links = '[a](SECURITY.md), [b](https://a.example), [c](#d)';
    assert.match(
      renderNotes(`## 0.1.0 - 2026-12-01\n\n${links}`, []),
      /\[a\]\(https:\S+\/blob\/v0\.1\.0\/SECURITY\.md\), \[b\]\(https:\/\/a\.example\), \[c\]\(#d\)/,
    );
  });

  it('is refused with two files of a name, a name with a space, or without notes', () => {
    writeFiles(folder, { ...PARTS, 'parts/desktop-mac/Locus.AppImage': 'other' });
    assert.throws(build, /have the same name/);
    removeFolder(join(folder, 'parts/desktop-mac/Locus.AppImage'));
    writeFiles(folder, { 'parts/desktop-mac/Locus Setup.exe': '' });
    assert.throws(build, /page would rename .*Locus Setup\.exe/);
    removeFolder(join(folder, 'parts/desktop-mac'));
    removeFolder(join(folder, 'parts/packages'));
    assert.throws(build, /needs one release-notes\.md/);
  });
});

describe('the signature of the desktop app', () => {
  const mac = { CSC_LINK: 'c', CSC_KEY_PASSWORD: 'p' };
  const apple = { APPLE_ID: 'i', APPLE_APP_SPECIFIC_PASSWORD: 'a', APPLE_TEAM_ID: 't' };
  const windows = { WIN_CSC_LINK: 'c', WIN_CSC_KEY_PASSWORD: 'p' };
  const empty = Object.fromEntries(
    Object.keys({ ...mac, ...apple, ...windows }).map((name) => [name, '']),
  );

  it('is made where the secrets are set, and the notes say so', () => {
    assert.match(planSigning('darwin', { ...mac, ...apple }).note, /signed and notarized/);
    assert.match(planSigning('darwin', { ...empty, ...mac }).note, /signed, but not notarized/);
    assert.match(planSigning('win32', windows).note, /Windows: signed/);
  });

  it('is missing otherwise, and the notes say what happens then', () => {
    assert.match(planSigning('darwin', { ...empty, CSC_LINK: 'c' }).note, /not signed/);
    assert.match(planSigning('win32', empty).note, /not signed\. SmartScreen warns/);
    assert.match(planSigning('linux', empty).note, /no signature/);
  });

  it('does not use an empty secret, or a certificate that the machine happens to have', () => {
    const { env } = planSigning('darwin', { ...empty, PATH: '/bin', EMPTY: '' });
    assert.deepEqual(env, { PATH: '/bin', EMPTY: '', CSC_IDENTITY_AUTO_DISCOVERY: 'false' });
    assert.deepEqual(planSigning('win32', { ...empty, PATH: '/bin' }).env, { PATH: '/bin' });
  });
});

describe('the installers of a system', () => {
  it('are moved with the files of an update and a line for the notes', () => {
    const made = ['Locus.dmg', 'Locus.dmg.blockmap', 'latest-mac.yml'];
    const paths = [...made, 'builder-debug.yml', 'npm/a.tgz', 'desktop/old.dmg'];
    writeFiles(join(folder, 'dist'), Object.fromEntries(paths.map((path) => [path, path])));
    assert.deepEqual(collectInstallers(join(folder, 'dist'), 'macOS: signed.'), made.sort());
    const note = `signing-${process.platform}.txt`;
    assert.deepEqual(readdirSync(join(folder, 'dist/desktop')).sort(), [...made, note].sort());
    assert.equal(read(`dist/desktop/${note}`), 'macOS: signed.\n');
    assert.throws(() => collectInstallers(join(folder, 'dist'), ''), /no installer/);
  });
});

describe('the draft', () => {
  const draft = (releases: object[], tag = 'v0.1.0') => {
    const calls: string[] = [];
    draftRelease(tag, folder, (args) => {
      calls.push(args.join(' ').replaceAll(`${folder}/`, '').replaceAll(`${folder}\\`, ''));
      return JSON.stringify(releases);
    });
    return calls;
  };
  const repo = `--repo ${new URL(NAMES.repository).pathname.slice(1)}`;
  const text = `--title Locus 0.1.0 --notes-file release-notes.md ${repo}`;
  const upload = `release upload v0.1.0 SHA256SUMS a.tgz --clobber ${repo}`;
  beforeEach(() =>
    writeFiles(folder, { 'a.tgz': '', SHA256SUMS: '', 'release-notes.md': '', 'manifests/a': '' }),
  );

  it('is made with notes and files, and is never published', () => {
    const calls = draft([{ tagName: 'v0.0.9', isDraft: false }]);
    assert.deepEqual(calls.slice(1), [
      `release create v0.1.0 --draft --verify-tag ${text}`,
      upload,
    ]);
    const [, create = ''] = draft([], 'v0.2.0-rc.1');
    assert.match(create, /--draft .*--prerelease/);
  });

  it('is completed if the job runs again', () => {
    assert.deepEqual(draft([{ tagName: 'v0.1.0', isDraft: true }]).slice(1), [
      `release edit v0.1.0 ${text}`,
      upload,
    ]);
  });

  it('leaves a published release alone', () => {
    assert.throws(() => draft([{ tagName: 'v0.1.0', isDraft: false }]), /is already published/);
  });
});

describe('the Docker image', () => {
  const build = { version: '0.1.0', revision: 'abc', processor: 'arm64' };
  const own = `${NAMES.dockerImage}:0.1.0-arm64`;
  const run = (step: keyof typeof IMAGE_STEPS, answer = '', version = '0.1.0') => {
    const calls: string[] = [];
    const docker = (args: readonly string[]) => {
      calls.push(args.join(' '));
      return answer;
    };
    IMAGE_STEPS[step]({ ...build, version }, docker);
    return calls;
  };

  it('is built for one processor, and names its source', () => {
    const [call = ''] = run('build');
    assert.match(call, new RegExp(`^buildx build --load .*--tag ${own} `));
    assert.ok(call.includes(`image.source=${NAMES.repository}`));
    assert.ok(call.includes('image.version=0.1.0') && call.includes('image.revision=abc'));
  });

  it('is used before it is pushed: without a network, rights, or files to write', () => {
    const [call = ''] = run('check', '{"rank": 1}');
    for (const option of ['--network none', '--read-only', '--cap-drop ALL', 'no-new-privileges'])
      assert.ok(call.includes(option), option);
    assert.throws(() => run('check', '{"rank": 2}'), /ranks the answer 2/);
    assert.deepEqual(run('push'), [`push ${own}`]);
  });

  it('gets one name for all processors; a prerelease is not the latest', (context) => {
    const log = context.mock.method(console, 'log', () => {});
    const images = IMAGE_PROCESSORS.map((name) => `${NAMES.dockerImage}:0.1.0-${name}`).join(' ');
    const [create] = run('join', '{"digest": "sha256:1"}');
    const latest = `--tag ${NAMES.dockerImage}:latest`;
    assert.equal(
      create,
      `buildx imagetools create --tag ${NAMES.dockerImage}:0.1.0 ${latest} ${images}`,
    );
    assert.deepEqual(log.mock.calls[0].arguments, [`name=${NAMES.dockerImage}\ndigest=sha256:1`]);
    const [prerelease = ''] = run('join', '{"digest": "sha256:1"}', '0.2.0-rc.1');
    assert.ok(!prerelease.includes(':latest'));
  });
});

describe('the extension', () => {
  const published: string[] = [];
  const marketplaces = ['A', 'B'].map((name) => ({
    name,
    variable: `${name}_PAT`,
    publish: async (_: string, token: string) => void published.push(`${name} ${token}`),
  }));

  it('is published where a secret is set', async () => {
    writeFiles(folder, { 'locus.vsix': '' });
    const environment = { A_PAT: '', B_PAT: 'secret' };
    assert.deepEqual(await publishExtension(folder, environment, marketplaces), [
      'A: skipped, as the secret A_PAT is not set',
      'B: published',
    ]);
    assert.deepEqual(published, ['B secret']);
  });

  it('is one file', async () => {
    await assert.rejects(publishExtension(folder, {}, []), /needs one \.vsix file/);
    writeFiles(folder, { 'a.vsix': '', 'b.vsix': '' });
    await assert.rejects(publishExtension(folder, {}, []), /needs one \.vsix file/);
  });

  it('reaches Open VSX, which may have the version already', async () => {
    const requests: string[] = [];
    let [status, answer] = [201, '{}'];
    const server = createServer(async (request, response) => {
      requests.push(`${request.method} ${request.url} ${(await buffer(request)).toString()}`);
      response.writeHead(status).end(answer);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    writeFiles(folder, { 'locus.vsix': 'zip' });
    const publish = () =>
      publishToOpenVsx(join(folder, 'locus.vsix'), 'a b', `http://127.0.0.1:${port}`);
    try {
      await publish();
      assert.deepEqual(requests, ['POST /api/-/publish?token=a+b zip']);
      [status, answer] = [400, '{"error": "Extension a.b 1 is already published."}'];
      await publish();
      answer = '{"error": "Insufficient access rights."}';
      await assert.rejects(publish(), /answered 400: Insufficient access rights/);
      [status, answer] = [502, '<html>'];
      await assert.rejects(publish(), /answered 502: an unreadable answer/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
