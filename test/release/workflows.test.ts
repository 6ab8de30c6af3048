import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import {
  findExposedJobs,
  findInterpolated,
  findMissing,
  findMissingPrograms,
  findUnpinned,
  findUnsafeSettings,
  listNeeded,
  listSecrets,
  listWritePermissions,
  parseWorkflow,
} from './workflow-rules.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json'));
const workflows = globSync('.github/workflows/*.{yml,yaml}', { cwd: root });
const actions = globSync(['action.{yml,yaml}', '.github/**/action.{yml,yaml}'], { cwd: root });

/** All permissions to write. A new one needs a reason, and a line here. */
const WRITES: Record<string, Record<string, string[]>> = {
  'docs.yml': { deploy: ['id-token', 'pages'] },
  'release.yml': {
    attest: ['attestations', 'id-token'],
    image: ['packages'],
    'image-index': ['attestations', 'id-token', 'packages'],
    npm: ['id-token'],
    draft: ['contents'],
  },
};

/** All secrets, by the job that reads them. */
const SECRETS: Record<string, Record<string, string[]>> = {
  'release.yml': {
    desktop: [
      'APPLE_APP_SPECIFIC_PASSWORD',
      'APPLE_ID',
      'APPLE_TEAM_ID',
      'MAC_CERTIFICATE',
      'MAC_CERTIFICATE_PASSWORD',
      'WINDOWS_CERTIFICATE',
      'WINDOWS_CERTIFICATE_PASSWORD',
    ],
    extension: ['OVSX_PAT', 'VSCE_PAT'],
  },
};

describe('every workflow and action', () => {
  for (const path of [...workflows, ...actions])
    it(`${path}: actions are pinned, and scripts contain no expression`, () => {
      assert.deepEqual([...findUnpinned(read(path)), ...findInterpolated(read(path))], []);
    });

  for (const path of workflows)
    it(`${path}: names what exists, and has only the listed rights and secrets`, () => {
      const workflow = parseWorkflow(read(path));
      const name = basename(path);
      assert.deepEqual(findMissing(workflow, scripts), []);
      assert.deepEqual(findUnsafeSettings(workflow), []);
      assert.deepEqual(findExposedJobs(workflow), []);
      assert.deepEqual(listWritePermissions(workflow), WRITES[name] ?? {});
      assert.deepEqual(listSecrets(workflow), SECRETS[name] ?? {});
    });

  for (const path of actions)
    it(`${path}: its programs exist`, () => {
      assert.deepEqual(findMissingPrograms(read(path), join(root, dirname(path))), []);
    });

  it('an action has the same commit everywhere', () => {
    const pins = [...workflows, ...actions].flatMap((path) =>
      Array.from(read(path).matchAll(/uses: ([\w./-]+)@(\w+ # v[\d.]+)/g), ([, name, pin]) => ({
        name,
        pin,
      })),
    );
    for (const [name, same] of Object.entries(Object.groupBy(pins, (pin) => pin.name ?? '')))
      assert.equal(new Set(same?.map(({ pin }) => pin)).size, 1, name);
  });
});

it('a release publishes nothing before all tests have passed', () => {
  const workflow = parseWorkflow(read('.github/workflows/release.yml'));
  const publishing = [...Object.keys(listWritePermissions(workflow)), 'extension'];
  assert.equal(publishing.length, 6);
  for (const name of publishing) assert.ok(listNeeded(workflow, name).has('test'), name);
  for (const name of ['npm', 'image-index', 'extension', 'draft'])
    assert.ok(listNeeded(workflow, name).has('attest'), name);
});

describe('a fault is found:', () => {
  it('an action whose program does not exist', () => {
    const text = 'runs: { using: node24, main: absent.ts, post: scripts/release.ts }';
    assert.deepEqual(findMissingPrograms(text, root), ['does not exist: absent.ts']);
  });

  const text = read('.github/workflows/release.yml');
  const change = (from: string | RegExp, to: string) => {
    const changed = text.replace(from, to);
    assert.notEqual(changed, text);
    return parseWorkflow(changed);
  };
  const expression = (inner: string) => `\${{ ${inner} }}`;

  it('an action with a tag, a branch, a short hash, no version, or from a registry', () => {
    const hash = 'a'.repeat(40);
    for (const uses of [
      'actions/checkout@v7',
      'actions/checkout@main # v7.0.1',
      'actions/checkout@3d3c42e # v7.0.1',
      `actions/checkout@${hash}`,
      'docker://alpine:3',
    ])
      assert.equal(findUnpinned(`      - uses: ${uses}`).length, 1, uses);
    assert.deepEqual(findUnpinned(`      - uses: actions/checkout@${hash} # v7.0.1`), []);
    assert.deepEqual(findUnpinned('    uses: ./.github/workflows/test.yml'), []);
  });

  it('the title of an issue in a script', () => {
    const run = `echo "${expression('github.event.issue.title')}"`;
    assert.equal(findInterpolated(`jobs: { a: { steps: [{ run: '${run}' }] } }`).length, 1);
    assert.equal(findInterpolated(`runs: { steps: [{ with: { script: '${run}' } }] }`).length, 1);
    assert.deepEqual(findInterpolated(`runs: { steps: [{ env: { TITLE: '${run}' } }] }`), []);
  });

  it('a script, file, program or workflow that does not exist', () => {
    for (const [from, to] of [
      ['npm run release', 'npm run absent'],
      ['node scripts/release/draft.ts', 'node scripts/release/absent.ts'],
      ['npm ci', 'npx absent'],
      ['./.github/workflows/test.yml', './.github/workflows/absent.yml'],
    ] as const)
      assert.match(findMissing(change(from, to), scripts).join(), /^does not exist: .*absent/);
  });

  it('more rights than listed, in a job or by default', () => {
    const more = change('contents: read', 'contents: write');
    assert.deepEqual(listWritePermissions(more).test, ['contents']);
    const { jobs } = parseWorkflow('jobs: { a: { steps: [] } }');
    assert.deepEqual(listWritePermissions({ on: {}, jobs }), { a: ['everything by default'] });
  });

  it('a secret in another job, or all secrets', () => {
    const secret = `run: npm ci\n        env: { A: "${expression('secrets.NPM_TOKEN')}" }`;
    assert.deepEqual(listSecrets(change('run: npm ci', secret)).packages, ['NPM_TOKEN']);
    const inherit = change('uses: ./', 'secrets: inherit\n    uses: ./');
    assert.deepEqual(listSecrets(inherit).test, ['all of them']);
    const all = `run: npm ci\n        env: { A: "${expression('toJSON(secrets)')}" }`;
    assert.deepEqual(listSecrets(change('run: npm ci', all)).packages, ['all of them']);
  });

  it('packages that run in a job with rights', () => {
    const exposed = change('run: node scripts/release/draft.ts', 'run: npm ci && node a.ts');
    assert.deepEqual(findExposedJobs(exposed), ['draft may write, and runs packages']);
  });

  it('missing limits, and code of strangers with rights', () => {
    assert.deepEqual(findUnsafeSettings(change('persist-credentials: false', 'depth: 1')), [
      'a checkout keeps its credentials',
    ]);
    assert.deepEqual(findUnsafeSettings(change('timeout-minutes: 60', 'limit: 60')), [
      'packages has no timeout',
    ]);
    assert.deepEqual(findUnsafeSettings(change(/^concurrency:\n.*\n.*\n/m, '')), [
      'no concurrency',
    ]);
    assert.deepEqual(findUnsafeSettings(change('on:\n', 'on:\n  pull_request_target:\n')), [
      'runs with rights on the code of strangers',
    ]);
  });
});
