import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  describeIssueUrl,
  formatHost,
  isExposed,
  parseHost,
  parsePastedUrl,
  parseRemoteProject,
  resolveReference,
  toIssueSource,
} from '../../src/shared/issue-url.ts';

/** Describes an issue URL in one line: the issue, its host, and what may run there. */
function said(text: string): string | null {
  const pasted = parsePastedUrl(text);
  if (!pasted) return null;
  if (pasted.is === 'refused') return `refused: ${pasted.why}`;
  if (pasted.is === 'link') {
    const { link } = pasted;
    return `${describeIssueUrl(link)} on ${formatHost(link)} (${link.codeHosts.join(', ')})`;
  }
  const { project, number, kind } = pasted.reference;
  return `${kind} ${project ?? '?'} ${number}`;
}

const LINKS: [text: string, means: string | null][] = [
  // GitHub
  ['https://github.com/owner/repo/issues/123', 'issue #123 of owner/repo on github.com (github)'],
  ['https://github.com/owner/repo/issues/123/', 'issue #123 of owner/repo on github.com (github)'],
  ['  https://github.com/o/r/issues/1\n', 'issue #1 of o/r on github.com (github)'],
  ['<https://github.com/o/r/issues/1>', 'issue #1 of o/r on github.com (github)'],
  ['https://github.com/o/r/issues/1#issuecomment-1', 'issue #1 of o/r on github.com (github)'],
  ['https://github.com/o/r/issues/1?x=1&y=%20#a', 'issue #1 of o/r on github.com (github)'],
  ['https://github.com/o/r/pull/1', 'pull request #1 of o/r on github.com (github)'],
  ['https://github.com/o/r/pull/1/files', 'pull request #1 of o/r on github.com (github)'],
  ['https://github.com/o/r/pull/1/commits/0a1b', 'pull request #1 of o/r on github.com (github)'],
  ['https://www.github.com/o/r/issues/1', 'issue #1 of o/r on github.com (github)'],
  ['https://GitHub.com/o/r/issues/1', 'issue #1 of o/r on github.com (github)'],
  ['http://github.com/o/r/issues/1', 'issue #1 of o/r on github.com (github)'],
  ['github.com/o/r/issues/1', 'issue #1 of o/r on github.com (github)'],
  ['https://acme.ghe.com/o/r/issues/1', 'issue #1 of o/r on acme.ghe.com (github)'],
  ['https://git.acme.com/o/r/pull/1', 'pull request #1 of o/r on git.acme.com (github)'],
  ['https://github.com/o/r/discussions/5', 'refused: to a discussion, which is not fetched'],
  ['https://github.com/orgs/o/discussions/5', 'refused: to a discussion, which is not fetched'],
  // GitLab
  ['https://gitlab.com/g/p/-/issues/7', 'issue #7 of g/p on gitlab.com (gitlab)'],
  ['https://gitlab.com/g/s/t/p/-/issues/7', 'issue #7 of g/s/t/p on gitlab.com (gitlab)'],
  ['https://gitlab.com/g/p/issues/7', 'issue #7 of g/p on gitlab.com (gitlab)'],
  ['https://gitlab.com/g/p/-/issues/incident/7', 'issue #7 of g/p on gitlab.com (gitlab)'],
  ['https://gitlab.com/g/p/-/work_items/7', 'issue #7 of g/p on gitlab.com (gitlab)'],
  ['https://gitlab.com/g/p/-/issues/7/designs', 'issue #7 of g/p on gitlab.com (gitlab)'],
  [
    'https://gitlab.com/g/p/-/merge_requests/7/diffs',
    'merge request !7 of g/p on gitlab.com (gitlab)',
  ],
  ['https://git.acme.com/g/p/-/issues/7#note_12', 'issue #7 of g/p on git.acme.com (gitlab)'],
  ['https://git.acme.com/g/s/p/issues/7', 'issue #7 of g/s/p on git.acme.com (gitlab)'],
  ['https://gitlab.com/groups/g/-/epics/7', 'refused: to an epic, which is not fetched'],
  // Gitea and Forgejo
  ['https://codeberg.org/o/r/issues/3', 'issue #3 of o/r on codeberg.org (gitea)'],
  ['https://codeberg.org/o/r/pulls/3', 'pull request #3 of o/r on codeberg.org (gitea)'],
  [
    'https://git.acme.com:8443/o/r/issues/3',
    'issue #3 of o/r on git.acme.com:8443 (gitea, github, gitlab)',
  ],
  [
    'https://github.acme.com/o/r/issues/3',
    'issue #3 of o/r on github.acme.com (github, gitea, gitlab)',
  ],
  [
    'https://gitlab.acme.com/o/r/issues/3',
    'issue #3 of o/r on gitlab.acme.com (gitlab, gitea, github)',
  ],
  [
    'http://127.0.0.1:3000/o/r/issues/3',
    'issue #3 of o/r on http://127.0.0.1:3000 (gitea, github, gitlab)',
  ],
  ['http://git.acme.com/o/r/pulls/3', 'pull request #3 of o/r on http://git.acme.com (gitea)'],
  ['https://[::1]:3000/o/r/pulls/3', 'pull request #3 of o/r on [::1]:3000 (gitea)'],
  ['https://[2001:db8::1]/o/r/pulls/3', 'pull request #3 of o/r on [2001:db8::1] (gitea)'],
  // Hosts that only look like another host.
  [
    'https://github.com.evil.org/o/r/pull/1',
    'pull request #1 of o/r on github.com.evil.org (github)',
  ],
  ['https://evil.org/github.com/o/r/issues/1', 'issue #1 of github.com/o/r on evil.org (gitlab)'],
  ['https://evilgithub.com/o/r/pull/1', 'pull request #1 of o/r on evilgithub.com (github)'],
  ['https://gіthub.com/o/r/pull/1', 'pull request #1 of o/r on xn--gthub-n2e.com (github)'],
  ['https://github.com@evil.org/o/r/issues/1', 'refused: with a user name or password in it'],
  ['https://token@github.com/o/r/issues/1', 'refused: with a user name or password in it'],
  ['https://u:p@github.com/o/r/issues/1', 'refused: with a user name or password in it'],
  [
    'https://github.com:8443/o/r/issues/1',
    'refused: to port 8443 of github.com, which it does not use',
  ],
  ['https://github.com\\@evil.org/o/r/issues/1', null],
  ['https://github.com:443/o/r/issues/1', 'issue #1 of o/r on github.com (github)'],
  // References
  ['#123', 'issue ? 123'],
  ['!12', 'change ? 12'],
  ['owner/repo#123', 'issue owner/repo 123'],
  ['owner/re.po-x_y#123', 'issue owner/re.po-x_y 123'],
  ['g/s/p!12', 'change g/s/p 12'],
  ['../x#1', null],
  ['x/..#1', null],
  ['repo#1', null],
  ['#0', null],
  ['#012', null],
  ['#12345678901', null],
  ['# 123', null],
  ['#include', null],
  // Other texts, and other pages
  ['', null],
  ['parse_cookie', null],
  ['see https://github.com/o/r/issues/1', null],
  ['https://github.com/o/r/issues/1 and more', null],
  ['https://github.com/o/r/issues/1\n\nIt fails', null],
  ['[it](https://github.com/o/r/issues/1)', null],
  ['https://github.com/o/r', null],
  ['https://github.com/o/r/issues', null],
  ['https://github.com/o/r/issues/new', null],
  ['https://github.com/o/r/issues/0', null],
  ['https://github.com/o/r/issues/1e3', null],
  ['https://github.com/o/r/blob/main/issues/1', null],
  ['https://github.com/o/r/merge_requests/1', null],
  ['https://github.com/issues/1', null],
  ['https://github.com/o/%2e%2e/issues/1', null],
  ['https://github.com/o%2fr/x/issues/1', null],
  ['https://github.com/o//issues/1', null],
  ['https://gitlab.com/p/-/issues/7', null],
  ['https://gitlab.com/g/p/-/commit/7', null],
  ['ftp://github.com/o/r/issues/1', null],
  ['file:///o/r/issues/1', null],
  ['javascript:alert(1)//o/r/issues/1', null],
  [`https://github.com/o/r/issues/1?${'x'.repeat(2000)}`, null],
];

describe('an issue URL', () => {
  for (const [text, means] of LINKS) {
    it(JSON.stringify(text.slice(0, 80)), () => assert.equal(said(text), means));
  }
});

const REMOTES: [url: string, leads: string | null][] = [
  ['https://github.com/o/r.git', 'https://github.com o/r'],
  ['https://github.com/o/r', 'https://github.com o/r'],
  ['https://user:secret@github.com/o/r.git', 'https://github.com o/r'],
  ['git@github.com:o/r.git', 'https://github.com o/r'],
  ['github.com:o/r.git', 'https://github.com o/r'],
  ['ssh://git@github.com/o/r.git', 'https://github.com o/r'],
  ['ssh://git@ssh.github.com:443/o/r.git', 'https://github.com o/r'],
  ['ssh://git@altssh.bitbucket.org:443/o/r.git', 'https://bitbucket.org o/r'],
  ['git@gitlab.acme.com:g/s/p.git', 'https://gitlab.acme.com g/s/p'],
  ['ssh://git@git.acme.com:2222/o/r.git', 'https://git.acme.com o/r'],
  ['https://git.acme.com:8443/o/r.git', 'https://git.acme.com:8443 o/r'],
  ['http://127.0.0.1:3000/o/r', 'http://127.0.0.1:3000 o/r'],
  ['git://github.com/o/r', 'https://github.com o/r'],
  ['/srv/git/o/r.git', null],
  ['../o/r', null],
  ['C:/src/o/r', null],
  ['C:\\src\\o\\r', null],
  ['file:///srv/o/r', null],
  ['ext::sh -c x', null],
  ['https://github.com/r.git', null],
  ['', null],
];

describe('the project of a remote', () => {
  for (const [url, leads] of REMOTES) {
    it(JSON.stringify(url), () => {
      const remote = parseRemoteProject(url);
      assert.equal(remote && `${remote.origin} ${remote.project}`, leads);
    });
  }
});

describe('a reference', () => {
  const issue = (project: string | null) => ({ project, number: 5, kind: 'issue' }) as const;
  const here = { origin: 'https://gitlab.acme.com', project: 'g/p' };

  it('refers to the project and host of the remote, or else to github.com', () => {
    assert.equal(resolveReference(issue(null), here)?.project, 'g/p');
    assert.equal(resolveReference(issue('a/b'), here)?.origin, 'https://gitlab.acme.com');
    assert.deepEqual(resolveReference(issue('a/b'), null), {
      origin: 'https://github.com',
      project: 'a/b',
      number: 5,
      kind: 'issue',
      codeHosts: ['github'],
    });
    assert.equal(resolveReference(issue(null), null), null);
  });

  it('is rejected if its host has no such thing', () => {
    const github = { origin: 'https://github.com', project: 'o/r' };
    assert.equal(resolveReference({ ...issue(null), kind: 'change' }, github), null);
    assert.equal(resolveReference(issue('a/b/c'), github), null);
  });
});

describe('the source of an issue', () => {
  it('is a name and the URL of its page', () => {
    const source = (text: string) => {
      const pasted = parsePastedUrl(text);
      assert.equal(pasted?.is, 'link');
      return toIssueSource(pasted.link);
    };
    assert.deepEqual(source('https://www.github.com/o/r/pull/1/files?w=1#d'), {
      label: 'o/r#1',
      url: 'https://github.com/o/r/pull/1',
    });
    assert.deepEqual(source('https://gitlab.com/g/s/p/-/merge_requests/2'), {
      label: 'g/s/p!2',
      url: 'https://gitlab.com/g/s/p/-/merge_requests/2',
    });
    assert.deepEqual(source('https://gitlab.com/g/p/-/work_items/3').label, 'g/p#3');
    assert.equal(source('http://127.0.0.1:1/o/r/pulls/3').url, 'http://127.0.0.1:1/o/r/pulls/3');
  });
});

describe('a host', () => {
  it('is normalized', () => {
    const written = ['GitHub.com', 'https://github.com/', 'github.com:443', 'http://a.b:80'];
    assert.deepEqual(written.map(parseHost), [
      'github.com',
      'github.com',
      'github.com',
      'http://a.b',
    ]);
    for (const none of ['', 'a b', 'u@github.com', 'github.com/o', 'ftp://x', 'x?y', 'x#y', '*.x/'])
      assert.equal(parseHost(none), null, none);
  });

  it('is exposed if the connection is not encrypted and it is not this machine', () => {
    const exposed = (origin: string) => isExposed({ origin });
    assert.deepEqual(
      ['https://a.b', 'http://127.0.0.1:1', 'http://localhost', 'http://a.b'].map(exposed),
      [false, false, false, true],
    );
  });
});
