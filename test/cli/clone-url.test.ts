import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCloneUrl, readCloneUrl } from '../../src/services/clone-url.ts';

test('addresses by HTTPS and SSH, and folders', () => {
  const cases: [string, string | null, string, string][] = [
    ['https://github.com/psf/requests', 'github.com', 'github.com/psf/requests', 'requests'],
    ['https://GitHub.com/PSF/requests.git', 'github.com', 'github.com/psf/requests', 'requests'],
    ['git@github.com:psf/requests.git', 'github.com', 'github.com/psf/requests', 'requests'],
    ['ssh://git@example.org:22/a/b-c', 'example.org', 'example.org/a/b-c', 'b-c'],
    ['file:///srv/git/shop.git', null, '/srv/git/shop.git', 'shop'],
    ['file:///srv/my%20shop/', null, '/srv/my shop/', 'my_shop'],
  ];
  for (const [url, host, key, name] of cases) {
    assert.ok(isCloneUrl(url), url);
    const address = readCloneUrl(url);
    assert.deepEqual([address.host, address.key, address.name], [host, key, name]);
  }
  for (const folder of ['.', '../web', '/srv/shop', 'C:\\shop', 'shop', '-', '-uevil', 'a:b'])
    assert.ok(!isCloneUrl(folder), folder);
});

test('other addresses are refused', () => {
  const refused = [
    'http://github.com/psf/requests',
    'git://github.com/psf/requests',
    'ftp://example.org/a/b',
    'javascript://example.org/a/b',
    'ext::sh',
    'ext::sh%20-c%20touch',
    'fd::17/x',
    'https::x',
    'ssh://-oProxyCommand=touch/a/b',
    '-oProxyCommand=touch@host:a/b',
    'git@-oProxyCommand=touch:a/b',
    'ssh://-oProxyCommand=touch@host/a/b',
    'https://user:secret@github.com/psf/requests',
    'https://token@github.com/psf/requests',
    'ssh://git:secret@example.org/a/b',
    'https://github.com/psf/requests/issues/5',
    'https://gitlab.com/a/b/-/merge_requests/5',
    'https://example.org/a/../b',
    'file://host/share',
    'file:///srv/../etc',
    'file:///srv/%2e%2E/etc',
    'file:///srv/..',
    'file:///srv%2f..%2fetc',
    'file:///srv/%00',
    'file:///srv\\x',
    'file:///srv?x',
    'https://github.com/psf/requ\nests',
    `https://github.com/a/${'b'.repeat(2000)}`,
  ];
  for (const url of refused) assert.throws(() => readCloneUrl(url), { code: 'bad-input' }, url);
});

test('a password is not repeated', () => {
  const url = 'https://user:secret@github.com/psf/requests';
  assert.throws(
    () => readCloneUrl(url),
    (error: Error) => !error.message.includes('secret'),
  );
});
