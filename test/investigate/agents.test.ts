import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { describe, it } from 'node:test';
import { getInvestigator } from '../../src/services/investigate/agents.ts';
import { createToolServer, findCommandLine } from '../../src/services/investigate/tool-server.ts';
import { AGENT_TITLES, parseEndpoint } from '../../src/shared/check-endpoint.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { installAgent } from './install-agent.ts';

const at = (address: string) => getInvestigator(parseEndpoint(address));

describe('an agent that investigates is started', () => {
  it('as Claude Code with no tools, settings or servers but those of Locus', () => {
    const { program, meta, listOwnFiles } = at('agent:claude');
    assert.equal(program, 'claude-agent-acp');
    assert.deepEqual(meta, {
      claudeCode: {
        options: {
          tools: [],
          allowedTools: ['mcp__locus'],
          settingSources: [],
          strictMcpConfig: true,
          persistSession: false,
        },
      },
    });
    assert.deepEqual(listOwnFiles('/home/ada', {}), [
      '/home/ada/.claude',
      '/home/ada/.claude.json',
    ]);
    assert.equal(listOwnFiles('/home/ada', { CLAUDE_CONFIG_DIR: '/etc/c' })[0], '/etc/c');
  });

  it('as Codex in its read-only mode, without a shell', () => {
    const { program, environment, listOwnFiles } = at('agent:codex');
    assert.equal(program, 'codex-acp');
    assert.equal(environment.INITIAL_AGENT_MODE, 'read-only');
    const { features, web_search } = JSON.parse(environment.CODEX_CONFIG ?? '');
    for (const name of ['shell_tool', 'unified_exec', 'hooks', 'plugins', 'multi_agent'])
      assert.equal(features[name], false, name);
    assert.equal(web_search, 'disabled');
    assert.deepEqual(listOwnFiles('/home/ada', {}), ['/home/ada/.codex']);
  });

  it('as Gemini CLI with a policy that denies all tools but those of Locus', () => {
    const { program, policy, listArguments } = at('agent:gemini');
    assert.equal(program, 'gemini');
    const args = listArguments('/tmp/policy.toml').join(' ');
    assert.match(args, /^--acp .*--admin-policy \/tmp\/policy\.toml /);
    assert.match(args, /--extensions none --allowed-mcp-server-names locus$/);
    const [allow = '', deny = ''] = policy.split('\n\n');
    assert.match(allow, /toolName = \["mcp_locus_locate",.*\]\ndecision = "allow"\npriority = 999/);
    assert.match(deny, /toolName = "\*"\ndecision = "deny"\npriority = 998/);
  });

  it('with the variables of its own, as in a check', () => {
    for (const name of Object.keys(AGENT_TITLES)) assert.ok(at(`agent:${name}`).variables, name);
    const { program, variables, environment, listOwnFiles, listArguments } = at('agent:/opt/mine');
    assert.deepEqual([program, variables, environment], ['/opt/mine', null, {}]);
    assert.deepEqual([listOwnFiles('/home/ada', {}), listArguments('/tmp/p')], [[], []]);
  });

  it('with the locus command, which the desktop app looks for on the PATH', (t) => {
    const folder = realpathSync(temporaryFolder());
    t.after(() => removeFolder(folder));
    assert.throws(() => findCommandLine({ PATH: folder }), {
      code: 'bad-input',
      message: /needs the locus command, which is not on the PATH/,
    });
    const { path } = installAgent(folder, 'answers', { name: 'locus' });
    assert.deepEqual(findCommandLine({ PATH: folder }), [path]);
  });

  it('with the server of one repository, and the options that choose its index', () => {
    const root = '/src/shop';
    assert.deepEqual(
      createToolServer(['node', '/opt/locus'], {
        ...{ root, dataDirectory: '/data', model: 'bag-1', device: 'cpu' },
        exclude: ['a/**', 'b'],
      }),
      {
        command: 'node',
        args: [
          ...['/opt/locus', 'mcp', '--no-daemon', '--repo', root, '--data-dir', '/data'],
          ...['--model', 'bag-1', '--device', 'cpu', '--exclude', 'a/**', '--exclude', 'b'],
        ],
      },
    );
  });
});
