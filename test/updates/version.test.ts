import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compareVersions, isVersion } from '../../src/services/updates/version.ts';

/** In ascending order. The prereleases are those of semver.org. */
const ASCENDING = [
  '0.0.9',
  '0.0.10',
  '0.1.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1-0',
  '2.0.0',
  '10.0.0',
  '999999999.0.0',
];

it('versions are ordered as semver.org says', () => {
  for (const [i, a] of ASCENDING.entries()) {
    assert.ok(isVersion(a), a);
    for (const [j, b] of ASCENDING.entries())
      assert.equal(Math.sign(compareVersions(a, b)), Math.sign(i - j), `${a} and ${b}`);
  }
});

it('anything else is no version', () => {
  const wrong = ['', '1', '1.2', 'v1.2.3', '1.2.3.4', '01.2.3', '1.2.3-', '1.2.3-a..b', '1.2.3+b'];
  const hostile = [
    '1.2.3\n',
    '1.2.3\u001b[31m',
    '1.2.3 ',
    '1.2.3-<b>',
    '１.2.3',
    '-1.2.3',
    'latest',
  ];
  const long = [
    '9'.repeat(10).concat('.0.0'),
    `1.2.3-${'a'.repeat(60)}`,
    `1.2.3-${'a.'.repeat(1e6)}`,
  ];
  for (const text of [...wrong, ...hostile, ...long])
    assert.equal(isVersion(text), false, text.slice(0, 80));
});
