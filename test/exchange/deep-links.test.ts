import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type DeepLink,
  formatDeepLink,
  isDeepLink,
  parseDeepLink,
} from '../../src/shared/deep-link.ts';
import { connect, indexed, workplace } from '../backend/support.ts';
import { git } from '../support/repository.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const LINK: DeepLink = {
  repository: 'github.com/psf/requests',
  commit: COMMIT,
  path: 'src/requests/a b&c=d#é.py',
  name: "Session.send('x')<T>",
  ordinal: 1,
  line: 12,
  content: 'a'.repeat(40),
};

describe('a deep link', () => {
  it('is the same after formatting and parsing', () => {
    const text = formatDeepLink(LINK);
    assert.match(text, /^locus:\/\/open\?repository=github\.com\/psf\/requests&commit=0123/);
    assert.match(text, /^[\x21-\x7e]+$/);
    assert.deepEqual(parseDeepLink(text), LINK);
    const bare = { ...LINK, repository: null, name: null, ordinal: 0, line: null, content: null };
    assert.deepEqual(parseDeepLink(formatDeepLink(bare)), bare);
    assert.ok(isDeepLink('LOCUS://open?x'));
  });

  it('is rejected with a reason if it is malicious', () => {
    const of = (change: string) => `locus://open?repository=github.com/a/b&${change}`;
    const hostile: [link: string, why: RegExp][] = [
      ['https://github.com/a/b', /does not begin with locus/],
      ['javascript:alert(1)', /does not begin with locus/],
      ['locus://run?path=a.py&repository=h.org/a/b', /begin with locus:\/\/open/],
      ['locus://open@evil/?path=a.py', /begin with locus:\/\/open/],
      [of('path=../../etc/passwd'), /path= is not/],
      [of('path=a/../b.py'), /path= is not/],
      [of('path=%2e%2e/b.py'), /path= is not/],
      [of('path=/etc/passwd'), /path= is not/],
      [of('path=C:/Windows/x'), /path= is not/],
      [of('path=%5c%5cserver%5cshare%5cx'), /path= is not/],
      [of('path=//server/share/x'), /path= is not/],
      [of('path=a%00b.py'), /path= is not/],
      [of('path=a%1b[31m.py'), /path= is not/],
      [of('path=a%E2%80%AEb.py'), /path= is not/],
      [of('path=a.py&path=b.py'), /path= appears twice/],
      [of('path=a%zz.py'), /percent escape/],
      [of('path=a.py&line=0'), /line= is not/],
      [of('path=a.py&line=1e9'), /line= is not/],
      [of('path=a.py&commit=--upload-pack'), /commit= is not/],
      [of('path=a.py&commit=HEAD'), /commit= is not/],
      [of('line=3'), /names no file/],
      ['locus://open?path=a.py', /names no repository/],
      ['locus://open?path=a.py&repository=../../x', /repository= is not/],
      ['locus://open?path=a.py&repository=file:///etc', /repository= is not/],
      [of(`path=${'a'.repeat(9000)}`), /longer than/],
      [`${of('path=a.py')}\n`, /spaces or unescaped/],
    ];
    for (const [link, why] of hostile) {
      assert.throws(() => parseDeepLink(link), { code: 'bad-input', message: why }, link);
    }
  });
});

describe('deep links in windows', () => {
  it('find a repository that was opened before, and the chunk in it', async () => {
    const place = workplace();
    try {
      const client = connect(place.session);
      const remote = 'https://ann:s3cret@github.com/acme/shop.git';
      const head = git(place.root, 'rev-parse', 'HEAD');
      const link = `locus://open?repository=github.com/Acme/Shop&path=shop/cookies.py&name=parse_cookie`;
      assert.equal((await client.call('link.find', { link })).root, null);

      const done = indexed(client);
      const { id: repository, root } = await client.call('repository.open', { root: place.root });
      await done;
      assert.equal((await client.call('link.find', { link })).root, null, 'another remote');
      git(place.root, 'remote', 'add', 'origin', remote);
      assert.equal((await client.call('link.find', { link })).root, root);
      const byCommit = `locus://open?commit=${head}&path=shop/cookies.py`;
      assert.equal((await client.call('link.find', { link: byCommit })).root, root);

      const address = 'shop/cookies.py::parse_cookie';
      assert.deepEqual(await client.call('link.place', { repository, link }), {
        address,
        state: 'same',
        isThisRepository: true,
      });
      const gone = link.replace('parse_cookie', 'no_such_name');
      assert.equal((await client.call('link.place', { repository, link: gone })).address, null);

      const made = await client.call('link.make', { repository, chunk: address });
      const { content, ...parsed } = parseDeepLink(made);
      assert.ok(content);
      assert.deepEqual([parsed.repository, parsed.commit], ['github.com/acme/shop', head]);
      assert.ok(!made.includes('s3cret') && !made.includes(root));
      await assert.rejects(client.call('link.find', { link: 'locus://open?path=..' }), {
        code: 'bad-input',
      });
    } finally {
      await place.done();
    }
  });
});
