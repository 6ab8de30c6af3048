import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usesMusl } from '../../src/base/musl.ts';
import {
  describeBuild,
  findBuildRemedy,
  findMissingBuild,
} from '../../src/engine/encode/runtime-builds.ts';

const INTEL_MAC = { platform: 'darwin', arch: 'x64' } as const;
const APPLE_SILICON = { platform: 'darwin', arch: 'arm64' } as const;

test('musl is told by the report of Node', {
  skip: process.platform !== 'linux' && 'musl is a library of Linux',
}, (t) => {
  const report = t.mock.method(process.report, 'getReport', () => ({
    header: { glibcVersionRuntime: '2.36' },
  }));
  assert.equal(usesMusl(), false);
  assert.equal(findMissingBuild(), null);
  // Nothing is known, as in an Electron without reports.
  report.mock.mockImplementation(() => ({ header: {} }) as never);
  assert.equal(usesMusl(), false);
  const sharedObjects = ['/usr/lib/libstdc++.so.6', '/lib/ld-musl-x86_64.so.1'];
  report.mock.mockImplementation(() => ({ header: {}, sharedObjects }) as never);
  assert.equal(usesMusl(), true);
  assert.equal(findMissingBuild()?.message, 'ONNX Runtime has no build for Linux with musl.');
});

test('an Intel Mac has an older version, whose lists can differ', () => {
  const devices = ['cpu', 'coreml'];
  assert.equal(describeBuild('1.30.0', devices, APPLE_SILICON), '1.30.0, built for cpu, coreml');
  assert.match(
    describeBuild('1.23.2', devices, INTEL_MAC),
    /^1\.23\.2, built for cpu, coreml; the last version for Macs with Intel, .* can differ slightly/,
  );
  assert.equal(findBuildRemedy(APPLE_SILICON), null);
  assert.match(findBuildRemedy(INTEL_MAC) ?? '', /npm install -g locus-edit\.$/);
});
