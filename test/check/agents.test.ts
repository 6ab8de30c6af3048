import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AGENTS } from '../../src/services/check/agents.ts';
import { checkRanking } from '../../src/services/check/check.ts';
import { CheckFile } from '../../src/services/check/check-file.ts';
import { CHECK_DEFAULTS } from '../../src/shared/check.ts';
import { parseEndpoint } from '../../src/shared/check-endpoint.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { waitUntilEnded } from '../support/wait-until-ended.ts';
import { engineOrder, namesOf, ranking } from './sample.ts';

const POSIX = process.platform !== 'win32';
const HELP = Object.values(AGENTS)
  .flatMap(({ required }) => required)
  .join('\n');
const ANSWER = '{"edit": [{"id": 2, "reason": "Here."}], "order": [2], "missing": []}';

describe('an agent', { skip: !POSIX }, () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(join(folder, 'bin'));
  });
  afterEach(() => removeFolder(folder));

  const at = (name: string) => join(folder, name);
  const env = () => {
    return {
      PATH: [join(folder, 'bin'), dirname(process.execPath)].join(delimiter),
      HOME: folder,
      ANTHROPIC_API_KEY: 'of-claude',
      OPENAI_API_KEY: 'of-codex',
      GITHUB_TOKEN: 'of-nobody',
      LOCUS_CHECK_API_KEY: 'of-a-server',
      NODE_OPTIONS: '--no-warnings',
    };
  };

  /** Installs a script as the program of an agent. It records how it was run, unless it is asked for help. */
  function install(name: string, act: string, help = HELP): string {
    const path = join(folder, 'bin', name);
    writeFileSync(
      path,
      `#!${process.execPath}
const { writeFileSync, readdirSync, readFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (args.includes('--help')) { console.log(${JSON.stringify(help)}); process.exit(); }
const input = readFileSync(0, 'utf8');
writeFileSync(${JSON.stringify(at('run.json'))}, JSON.stringify({
  args, input, env: process.env, cwd: process.cwd(), files: readdirSync('.') }));
${act}
`,
    );
    chmodSync(path, 0o755);
    return path;
  }

  const print = (text: string) => `process.stdout.write(${JSON.stringify(text)});`;
  const readRun = () => JSON.parse(readFileSync(at('run.json'), 'utf8'));

  function check(
    address: string,
    { signal = new AbortController().signal, model = '', seconds = 30 } = {},
  ) {
    const file = new CheckFile(folder, {});
    file.agree(parseEndpoint(address).origin, '/src/shop');
    const settings = { ...CHECK_DEFAULTS, address, model, seconds };
    return checkRanking(ranking(5), { settings, file, signal, env: env(), weight: 1 });
  }

  for (const [name, agent] of Object.entries(AGENTS)) {
    it(`${name} answers the prompt with its tools off, in an empty folder`, async () => {
      const write = `const at = args.indexOf('--output-last-message'); if (at >= 0) writeFileSync(args[at + 1], ${JSON.stringify(ANSWER)});`;
      install(name, agent.writesFile ? `${write} ${print('thinking… [3]')}` : print(ANSWER));
      const done = await check(`agent:${name}`, { model: 'large' });
      assert.equal(done.failure, null);
      assert.deepEqual(namesOf(done).slice(0, 2), ['f2', 'f1']);
      assert.equal(done.isExternal, true);
      const { args, input, files, cwd } = readRun();
      for (const flag of agent.required) assert.ok(args.includes(flag), flag);
      assert.deepEqual(args.slice(args.indexOf('--model'))[1], 'large');
      assert.match(input, /Cookies are cut short[\s\S]*"f5"/);
      assert.deepEqual(files, []);
      assert.equal(existsSync(cwd), false, 'the folder is removed');
    });
  }

  it('gets its own variables and no others', async () => {
    install('claude', print(ANSWER));
    await check('agent:claude');
    const names = Object.keys(readRun().env).filter((name) => name in env());
    assert.deepEqual(names.sort(), ['ANTHROPIC_API_KEY', 'HOME', 'PATH']);
  });

  it('is refused if its version lacks a flag that holds it back', async () => {
    install('claude', print(ANSWER), '--safe-modern --tools --no-session-persistence');
    await assert.rejects(check('agent:claude'), {
      code: 'bad-input',
      message: /does not know --safe-mode, --strict-mcp-config, without which/,
    });
    assert.equal(existsSync(at('run.json')), false);
  });

  it('can be any program that reads a prompt and prints an answer', async () => {
    const path = install('mine', print(`I think:\n\`\`\`json\n${ANSWER}\n\`\`\`\n`));
    const done = await check(`agent:${path}`);
    assert.equal(namesOf(done)[0], 'f2');
    assert.deepEqual(readRun().args, []);
  });

  const fails: Record<string, [act: string, message: RegExp]> = {
    'that ends with an error': [
      'console.error("Not signed in.\\u001b[2J"); process.exit(3);',
      /ended with 3: Not signed in/,
    ],
    'that prints nothing': ['', /name none of the functions/],
    'that never ends': ['setInterval(() => {}, 1000);', /did not answer within 1 second/],
    'that prints without end': [
      'setInterval(() => process.stdout.write("x".repeat(1e6)), 1);',
      /did not answer within 1 second/,
    ],
  };
  for (const [what, [act, message]] of Object.entries(fails))
    it(`${what} leaves the list as it is`, async () => {
      install('claude', act);
      const done = await check('agent:claude', {
        seconds: what.includes('error') || act === '' ? 30 : 1,
      });
      assert.match(done.failure?.message ?? '', message);
      assert.deepEqual(namesOf(done), engineOrder(5));
    });

  it('that is missing is reported', async () => {
    const done = await check('agent:gemini');
    assert.match(done.failure?.message ?? '', /Gemini CLI is not installed/);
  });

  it('is killed with everything that it started when the check is cancelled', async () => {
    install(
      'claude',
      `const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
writeFileSync(${JSON.stringify(at('pids'))}, process.pid + ' ' + child.pid);
setInterval(() => {}, 1000);`,
    );
    const controller = new AbortController();
    const running = check('agent:claude', { signal: controller.signal, seconds: 300 });
    while (!existsSync(at('pids')) || readFileSync(at('pids'), 'utf8') === '')
      await new Promise((done) => setTimeout(done, 20));
    controller.abort();
    await assert.rejects(running, { code: 'cancelled' });
    for (const pid of readFileSync(at('pids'), 'utf8').split(' '))
      await waitUntilEnded(Number(pid));
  });

  it('is named by a known name or an absolute path', () => {
    assert.equal(parseEndpoint('agent:codex').host, 'Codex');
    assert.equal(parseEndpoint(' agent:/opt/mine ').agent, '/opt/mine');
    for (const address of ['agent:', 'agent:bash', 'agent:../mine', 'agent:toString'])
      assert.throws(() => parseEndpoint(address), { code: 'bad-input', message: /names no agent/ });
  });
});
