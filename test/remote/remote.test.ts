import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  hasCommit,
  isPublished,
  readOrigin,
  readPrefix,
} from '../../src/services/remote/origin.ts';
import { detectPermalinkHost, formatPermalink } from '../../src/services/remote/permalink.ts';
import { formatRemoteName, parseRemote } from '../../src/shared/remote-url.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const nameOf = (url: string) => {
  const remote = parseRemote(url);
  return remote && `${remote.scheme}://${formatRemoteName(remote)}`;
};

describe('the URL of a remote', () => {
  it('is the same however it was cloned, without user and password', () => {
    for (const url of [
      'https://github.com/psf/requests.git',
      'https://ann:gh0_secret@GitHub.com/psf/requests/',
      'git@github.com:psf/requests.git',
      'ssh://git@github.com:22/psf/requests',
      'git://github.com/psf/requests.git',
      'git@github.com-work:psf/requests.git',
      'ssh://git@GitHub.com-repo-1/psf/requests',
    ]) {
      assert.equal(nameOf(url), 'https://github.com/psf/requests', url);
    }
    // A name that may be a host in the local network stays as it is.
    for (const host of ['github.com-work.example', 'github.company'])
      assert.equal(nameOf(`git@${host}:a/b`), `https://${host}/a/b`);
    assert.equal(nameOf('https://github.com-work/a/b'), 'https://github.com-work/a/b');
    assert.equal(
      nameOf('http://git.example.org:3000/a/b/c.git'),
      'http://git.example.org:3000/a/b/c',
    );
  });

  it('is rejected for paths and invalid URLs', () => {
    for (const url of [
      '/srv/git/shop.git',
      '../shop',
      'C:\\git\\shop',
      'c:/git/shop',
      'file:///srv/git/shop.git',
      'javascript://github.com/a/b',
      'https://github.com/a/../../b',
      'https://github.com/a/b c',
      'https://exa mple.com/a/b',
      'https://github.com/a/b"onclick=',
      'ext::sh -c whoami',
      `https://github.com/${'a/'.repeat(2000)}`,
      '',
    ]) {
      assert.equal(parseRemote(url), null, url);
    }
  });
});

describe('a permalink', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';
  const of = (url: string, path = 'src/a b#.py') => {
    const remote = parseRemote(url);
    const forge = remote && detectPermalinkHost(remote);
    return (
      remote && forge && formatPermalink(forge, remote, commit, path, { startLine: 3, endLine: 9 })
    );
  };

  it('has the format of its host', () => {
    assert.equal(
      of('git@github.com:psf/requests.git'),
      `https://github.com/psf/requests/blob/${commit}/src/a%20b%23.py#L3-L9`,
    );
    assert.equal(
      of('https://gitlab.example.org/group/sub/shop.git'),
      `https://gitlab.example.org/group/sub/shop/-/blob/${commit}/src/a%20b%23.py#L3-9`,
    );
    assert.equal(
      of('https://codeberg.org/forgejo/forgejo'),
      `https://codeberg.org/forgejo/forgejo/src/commit/${commit}/src/a%20b%23.py#L3-L9`,
    );
    assert.equal(
      of('git@bitbucket.org:team/shop.git'),
      `https://bitbucket.org/team/shop/src/${commit}/src/a%20b%23.py#lines-3:9`,
    );
    assert.equal(
      of('https://bitbucket.example.org/scm/PRJ/shop.git', 'a.py'),
      `https://bitbucket.example.org/projects/PRJ/repos/shop/browse/a.py?at=${commit}#3-9`,
    );
    assert.equal(
      of('https://bitbucket.example.org/bitbucket/scm/PRJ/shop.git', 'a.py'),
      `https://bitbucket.example.org/bitbucket/projects/PRJ/repos/shop/browse/a.py?at=${commit}#3-9`,
    );
    assert.equal(
      of('ssh://git@bitbucket.example.org:7999/PRJ/shop.git', 'a.py'),
      `https://bitbucket.example.org/projects/PRJ/repos/shop/browse/a.py?at=${commit}#3-9`,
    );
    assert.equal(of('https://git.example.org/a/b'), null);
  });
});

describe('the remote of a repository', () => {
  it('is read without its credentials; shorthands and the kind of host come from the configuration', async () => {
    const root = gitRepository({ 'pkg/a.py': 'x = 1\n' });
    try {
      assert.equal(await readOrigin({ root }), null);
      git(root, 'remote', 'add', 'origin', 'https://ann:token@git.example.org/team/shop.git');
      assert.deepEqual(await readOrigin({ root }), {
        remote: { scheme: 'https', host: 'git.example.org', path: 'team/shop', isSsh: false },
        codeHost: null,
      });
      git(root, 'config', 'locus.codeHost', 'gitea');
      assert.equal((await readOrigin({ root }))?.codeHost, 'gitea');
      git(root, 'config', 'url.git@github.com:.insteadOf', 'gh:');
      git(root, 'remote', 'set-url', 'origin', 'gh:psf/requests');
      const origin = await readOrigin({ root });
      assert.equal(origin && formatRemoteName(origin.remote), 'github.com/psf/requests');
      assert.equal(await readPrefix({ root: `${root}/pkg` }), 'pkg/');
      assert.equal(await readOrigin({ root: `${root}/pkg`, ceiling: root }), null);
    } finally {
      removeFolder(root);
    }
  });

  it('has a commit once it was pushed there, as far as git knows', async () => {
    const upstream = temporaryFolder();
    git(upstream, 'init', '-q', '--bare');
    const root = gitRepository({ 'a.py': 'x = 1\n' });
    try {
      const first = git(root, 'rev-parse', 'HEAD');
      assert.equal(await isPublished({ root }, first), false);
      git(root, 'remote', 'add', 'origin', upstream);
      git(root, 'push', '-q', 'origin', 'HEAD');
      assert.equal(await isPublished({ root }, first), true);
      git(root, 'commit', '-q', '--allow-empty', '-m', 'Second');
      const second = git(root, 'rev-parse', 'HEAD');
      assert.equal(await isPublished({ root }, second), false);
      assert.equal(await hasCommit({ root }, second), true);
      assert.equal(await hasCommit({ root }, 'f'.repeat(40)), false);
    } finally {
      removeFolder(root);
      removeFolder(upstream);
    }
  });

  it('is null in a folder without git', async () => {
    const root = temporaryFolder();
    try {
      assert.equal(await readOrigin({ root }), null);
      assert.equal(await isPublished({ root }, 'f'.repeat(40)), false);
    } finally {
      removeFolder(root);
    }
  });
});
