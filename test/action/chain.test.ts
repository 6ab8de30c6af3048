import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { type Github, startGithub } from './github.ts';
import { opened } from './samples.ts';
import { installStandIn, NOT_HERE, runStep } from './step.ts';

const CLI = pathToFileURL(join(import.meta.dirname, '../../src/cli/entry.ts')).href;

let github: Github;
let folder: string;
before(async () => {
  github = await startGithub();
  folder = temporaryFolder();
});
after(async () => {
  await github.close();
  removeFolder(folder);
});

it('all three modes, with Locus itself, comment on the function at its commit', {
  skip: NOT_HERE,
}, async () => {
  const workspace = gitRepository(
    {
      'src/@octocat #12/cookies.py':
        'def parse_cookie(value):\n    """Splits a cookie at commas."""\n    return value.split(",")\n',
      'src/mail.py': 'def send_mail(to):\n    return to\n',
    },
    join(folder, 'workspace'),
  );
  const commit = git(workspace, 'rev-parse', 'HEAD');
  // What is on disk but not in the commit is not ranked.
  gitRepository(
    { 'src/later.py': 'def parse_cookie_value(value):\n    return value\n' },
    workspace,
  );
  installStandIn(folder, `await import(${JSON.stringify(CLI)});`);
  const run = (inputs: Record<string, string>) =>
    runStep(folder, {
      inputs: { label: 'no-ranking', ...inputs },
      event: opened({ body: 'Look at @octocat and `parse_cookie`.' }),
      env: { GITHUB_SHA: commit, GITHUB_API_URL: github.origin },
    });
  const indexed = await run({ mode: 'index' });
  assert.equal(indexed.code, 0, indexed.log);
  const ranked = await run({ mode: 'rank' });
  assert.equal(ranked.code, 0, ranked.log);
  const posted = await run({ mode: 'post', token: 'x', list: ranked.outputs.list });
  assert.equal(posted.code, 0, posted.log);
  const [comment, ...others] = github.comments;
  assert.deepEqual(others, []);
  const [, first] = comment.body.split('\n\n');
  assert.ok(
    first.startsWith(
      `1. [\`parse_cookie\`](<https://github.com/acme/shop/blob/${commit}/src/%40octocat%20%2312/cookies.py#L1-L3>) function, \`src/@octocat #12/cookies.py:1\`\n   Why: `,
    ),
    first,
  );
  assert.match(first, /the issue mentions `parse_cookie`/);
  assert.doesNotMatch(comment.body, /later\.py/);
});
