import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usesMusl } from '../../src/base/musl.ts';
import {
  describeBuild,
  findBuildRemedy,
  findMissingBuild,
} from '../../src/engine/encode/runtime-builds.ts';
import { pretendMusl } from '../support/musl.ts';

const INTEL_MAC = { platform: 'darwin', arch: 'x64' } as const;
const APPLE_SILICON = { platform: 'darwin', arch: 'arm64' } as const;

const skip = process.platform !== 'linux' && 'musl is a library of Linux';

test('musl is told by the loader of this process', { skip }, (t) => {
  pretendMusl(t, '/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2');
  assert.equal(usesMusl(), false);
  assert.equal(findMissingBuild(), null);
  t.mock.restoreAll();
  pretendMusl(t, null);
  assert.equal(usesMusl(), false);
  t.mock.restoreAll();
  pretendMusl(t);
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
