import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { START } from '../../scripts/npm/start.ts';
import { getPlatformPackage } from '../../scripts/release/names.ts';
import { OLDEST_NODE } from '../../scripts/release/oldest-node.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const root = join(import.meta.dirname, '../..');

/** Patterns of features that Node 22 lacks or warns about. The npm package runs on it, and bundling does not add them. */
const NEWER = [
  /\b(?:Async)?DisposableStack\b/,
  /\b(?:Promise\.try|RegExp\.escape|Error\.isError|Math\.sumPrecise|Iterator\.concat)\b/,
  /\bglobSync\b|\bpath\.matchesGlob\b/,
  // Two groups with the same name in a pattern.
  /\(\?<(\w+)>[^\n]*\(\?<\1>/,
];

const findNewer = (code: string) => NEWER.filter((sign) => sign.test(code));

it('sources use only features of the oldest Node that the npm package supports', () => {
  const paths = globSync('src/{base,shared,engine,services,mcp,backend,server,cli}/**/*.ts', {
    cwd: root,
  });
  assert.ok(paths.length > 500, `${paths.length} files`);
  const found = paths.filter((path) => {
    const code = readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '');
    return findNewer(code).length > 0;
  });
  assert.deepEqual(found, []);
});

it('the npm package names the remedy on an older Node, and exits as for invalid usage', () => {
  const folder = temporaryFolder();
  try {
    const program = join(folder, 'locus.mjs');
    writeFileSync(program, START);
    const versions = "Object.defineProperty(process, 'versions', { value: { node: '22.14.0' } })";
    const older = `data:text/javascript,${encodeURIComponent(versions)}`;
    const { status, stderr } = spawnSync(process.execPath, ['--import', older, program], {
      encoding: 'utf8',
    });
    assert.equal(status, 2, stderr);
    assert.ok(
      stderr.startsWith(
        `locus: Locus needs Node ${OLDEST_NODE} or later. This is Node 22.14.0.\n  → Install a newer Node `,
      ),
      stderr,
    );
  } finally {
    removeFolder(folder);
  }
});

it('the npm package starts the code of its platform, or says that it is missing', () => {
  const folder = temporaryFolder();
  /** @param maps files that are mapped into the process; left out if the system does not tell */
  const run = (platform: string, arch: string, maps?: string) => {
    const set = `import fs from 'node:fs';
      const { readFileSync } = fs;
      fs.readFileSync = (path, ...rest) => {
        if (path !== '/proc/self/maps') return readFileSync(path, ...rest);
        if (${maps === undefined}) throw new Error('no such file');
        return '${maps}';
      };
      Object.defineProperty(process, 'platform', { value: '${platform}' });
      Object.defineProperty(process, 'arch', { value: '${arch}' });`;
    const elsewhere = `data:text/javascript,${encodeURIComponent(set)}`;
    const program = join(folder, 'locus.mjs');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', elsewhere, program],
      { encoding: 'utf8' },
    );
    return { status, said: stdout + stderr };
  };
  const install = (platform: string) =>
    writeFiles(join(folder, 'node_modules', getPlatformPackage(platform)), {
      'package.json': '{ "type": "module" }',
      'lib/locus.js': `console.log('code for ${platform}');`,
    });
  try {
    writeFiles(folder, { 'locus.mjs': START });
    const missing = run('linux', 'arm64');
    assert.equal(missing.status, 2);
    assert.match(
      missing.said,
      /^locus: The package locus-edit-linux-arm64 is missing\.\n {2}→ Install .* --include=optional\.\n$/,
    );
    const unknown = run('aix', 'ppc64');
    assert.equal(unknown.status, 2);
    assert.match(
      unknown.said,
      /^locus: Locus has no package for aix-ppc64\.\n {2}→ Use one of linux-x64, /,
    );
    install('linux-x64-musl');
    assert.equal(run('linux', 'x64').said, 'code for linux-x64-musl\n');
    // Some package managers install both.
    install('linux-x64');
    assert.equal(run('linux', 'x64', '/lib/ld-musl-x86_64.so.1').said, 'code for linux-x64-musl\n');
    assert.equal(run('linux', 'x64', '/lib/libc.so.6').said, 'code for linux-x64\n');
    assert.equal(run('linux', 'x64').said, 'code for linux-x64\n');
    install('darwin-arm64');
    assert.equal(run('darwin', 'arm64').said, 'code for darwin-arm64\n');
  } finally {
    removeFolder(folder);
  }
});

it('newer names are found', () => {
  for (const code of [
    'using end = new DisposableStack();',
    'RegExp.escape(text)',
    'globSync(pattern)',
    '/a(?<x>1)|b(?<x>2)/',
  ])
    assert.equal(findNewer(code).length, 1, code);
});
