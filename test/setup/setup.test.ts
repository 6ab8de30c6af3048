/** `locus setup` on homes with the configuration of agents: what it adds, and that removing it restores every byte. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { AGENTS } from '../../src/services/setup/agents.ts';
import { applySetup } from '../../src/services/setup/apply.ts';
import { Journal, runAlone } from '../../src/services/setup/journal.ts';
import { findPlaces } from '../../src/services/setup/places.ts';
import { planSetup } from '../../src/services/setup/plan.ts';
import { CONFIGS, Home } from './home.ts';

const FIVE = {
  '.claude.json': CONFIGS['.claude.json'],
  '.codex/config.toml': CONFIGS['.codex/config.toml'],
  '.cursor/mcp.json': CONFIGS['.cursor/mcp.json'],
  '.config/Code/User/mcp.json': CONFIGS['.config/Code/User/mcp.json'],
  '.gemini/settings.json': CONFIGS['.gemini/settings.json'],
};

/** Removes comments and trailing commas, so that JSON.parse reads a fixture. */
const readJson = (text: string) =>
  JSON.parse(
    text
      .replace(/^\ufeff/, '')
      .replaceAll(/\/\/ .*$/gm, '')
      .replaceAll(/,(?=\s*[}\]])/g, ''),
  );

describe('locus setup', () => {
  it('connects five agents in their usual places, and removing it restores every byte', async () => {
    using home = new Home(FIVE);
    const before = home.snapshot();
    const { exitCode, stderr } = await home.run(['--yes']);
    assert.equal(exitCode, 0, stderr);
    const server = readJson(home.read('.claude.json')).mcpServers.locus;
    assert.equal(server.type, 'stdio');
    assert.equal(server.args.at(-1), 'mcp');
    assert.ok(existsSync(server.command), 'the command exists');
    const { command, args } = server;
    const codex = parseToml(home.read('.codex/config.toml')) as Record<string, never>;
    assert.deepEqual({ ...(codex.mcp_servers as { locus: object }).locus }, { command, args });
    assert.deepEqual(readJson(home.read('.cursor/mcp.json')).mcpServers.locus, server);
    assert.deepEqual(readJson(home.read('.config/Code/User/mcp.json')).servers.locus, server);
    assert.deepEqual(readJson(home.read('.gemini/settings.json')).mcpServers.locus, {
      command,
      args,
    });
    for (const folder of ['.claude', '.agents', '.cursor', '.copilot'])
      assert.match(home.read(`${folder}/skills/locus/SKILL.md`), /^---\nname: locus\n/);
    assert.match(home.read('.claude/agents/find-where-to-edit.md'), /mcp__locus__locate/);
    assert.equal((await home.run(['--remove', '--yes'])).exitCode, 0);
    assert.deepEqual(home.snapshot(), before);
    assert.deepEqual(home.listStored(), ['lock'], 'journal and backups are gone');
  });

  it('does so for every agent', async () => {
    using home = new Home({ ...CONFIGS, '.claude/x': '' });
    const before = home.snapshot();
    const { exitCode, stderr, json } = await home.run(['--yes', '--hooks', '--json']);
    assert.equal(exitCode, 0, stderr);
    const files: { path: string; agents: string[]; action: string }[] = json().files;
    assert.deepEqual(
      [...new Set(files.flatMap(({ agents }) => agents))].sort(),
      AGENTS.map(({ id }) => id).sort(),
    );
    for (const { action } of files) assert.ok(['create', 'add'].includes(action), action);
    const { command, args } = readJson(home.read('.claude.json')).mcpServers.locus;
    const goose = parseYaml(home.read('.config/goose/config.yaml')).extensions;
    assert.deepEqual([goose.locus.cmd, goose.locus.args], [command, args]);
    assert.ok(goose.developer);
    const [own, theirs] = parseYaml(home.read('.continue/config.yaml')).mcpServers;
    assert.deepEqual([own.name, theirs.name], ['locus', 'tickets']);
    assert.deepEqual(readJson(home.read('.config/opencode/opencode.jsonc')).mcp.locus.command, [
      command,
      ...args,
    ]);
    assert.equal(
      readJson(home.read('.config/zed/settings.json')).context_servers.locus.source,
      'custom',
    );
    const [hook] = JSON.parse(home.read('.claude/settings.json')).hooks.SessionStart;
    assert.match(hook.hooks[0].command, /index \. --quiet$/);
    await home.run(['--remove', '--yes']);
    assert.deepEqual(home.snapshot(), before);
  });

  it('changes nothing the second time, and a third agent later adds only its own', async () => {
    using home = new Home(FIVE);
    await home.run(['claude', 'codex', '--yes']);
    const once = home.snapshot();
    const again = await home.run(['claude', 'codex', '--yes']);
    assert.match(again.stdout, /Nothing to change/);
    assert.deepEqual(home.snapshot(), once);
    await home.run(['gemini', '--yes']);
    // Both read the same skill, which stays until the last one is removed.
    await home.run(['codex', '--remove', '--yes']);
    assert.ok(existsSync(home.at('.agents/skills/locus/SKILL.md')));
    await home.run(['gemini', '--remove', '--yes']);
    assert.ok(!existsSync(home.at('.agents')));
    assert.equal(home.read('.codex/config.toml'), CONFIGS['.codex/config.toml']);
  });

  it('takes only its own entry out of files that were edited since', async () => {
    using home = new Home({ ...CONFIGS, '.claude/x': '' });
    await home.run(['--yes', '--hooks']);
    const edits: Record<string, (text: string) => string> = {
      '.claude.json': (text) => JSON.stringify({ ...JSON.parse(text), numStartups: 13 }, null, 2),
      '.codex/config.toml': (text) =>
        text
          .replace('gpt-5', 'gpt-6')
          .concat('\n[mcp_servers.locus.tools.read]\napproval = true\n# End\n[tui]\n'),
      '.cursor/mcp.json': (text) => `${text}\n`,
      '.config/Code/User/mcp.json': (text) => text.replace('// ours', '// mine'),
      '.gemini/settings.json': (text) => text.replace('"Default"', '"Dark", "vimMode": true'),
      '.config/opencode/opencode.jsonc': (text) =>
        text.replace('"enabled": true', '"enabled": false'),
      '.config/goose/config.yaml': (text) => text.replace('timeout: 300', 'timeout: 30'),
      '.continue/config.yaml': (text) => `${text}- name: more\n  command: more\n`,
      '.claude/settings.json': (text) => text.replace('{', '{ "model": "opus",'),
    };
    for (const [name, edit] of Object.entries(edits)) home.write(name, edit(home.read(name)));
    const { exitCode, stdout, stderr } = await home.run(['--remove', '--yes']);
    assert.equal(exitCode, 0, stdout + stderr);
    assert.deepEqual(JSON.parse(home.read('.claude.json')), {
      ...JSON.parse(CONFIGS['.claude.json']),
      numStartups: 13,
    });
    const original = CONFIGS['.codex/config.toml'];
    assert.equal(
      home.read('.codex/config.toml'),
      `${original.replace('gpt-5', 'gpt-6')}\n\n# End\n[tui]\n`,
    );
    assert.equal(home.read('.cursor/mcp.json'), `${CONFIGS['.cursor/mcp.json']}\n`);
    assert.equal(
      home.read('.config/Code/User/mcp.json'),
      CONFIGS['.config/Code/User/mcp.json'].replace('// ours', '// mine'),
    );
    assert.equal(
      home.read('.gemini/settings.json'),
      CONFIGS['.gemini/settings.json'].replace('"Default"', '"Dark", "vimMode": true'),
    );
    for (const name of ['.config/opencode/opencode.jsonc', '.config/goose/config.yaml'] as const)
      assert.equal(home.read(name), CONFIGS[name]);
    assert.equal(
      home.read('.continue/config.yaml'),
      `${CONFIGS['.continue/config.yaml']}- name: more\n  command: more\n`,
    );
    assert.deepEqual(JSON.parse(home.read('.claude/settings.json')), { model: 'opus' });
    assert.deepEqual(home.listStored(), ['lock']);
  });

  it('keeps a skill that was edited since, and says so', async () => {
    using home = new Home(FIVE);
    await home.run(['cursor', '--yes']);
    const skill = '.cursor/skills/locus/SKILL.md';
    home.write(skill, `${home.read(skill)}\nMy own advice.\n`);
    const again = await home.run(['cursor', '--yes']);
    assert.match(again.stdout, /was edited since/);
    const removed = await home.run(['--remove', '--yes']);
    assert.match(removed.stdout, /Delete it yourself/);
    assert.match(home.read(skill), /My own advice/);
    assert.equal(home.read('.cursor/mcp.json'), CONFIGS['.cursor/mcp.json']);
  });

  it('restores a skill that was there before', async () => {
    using home = new Home({ ...FIVE, '.cursor/skills/locus/SKILL.md': 'old\n' });
    const before = home.snapshot();
    await home.run(['cursor', '--yes']);
    assert.match(home.read('.cursor/skills/locus/SKILL.md'), /^---/);
    await home.run(['--remove', '--yes']);
    assert.deepEqual(home.snapshot(), before);
  });

  it('leaves an entry of the same name that it did not write', async () => {
    const own = '{"mcpServers":{"locus":{"command":"/mine"}}}';
    using home = new Home({ '.cursor/mcp.json': own });
    const { stdout, exitCode } = await home.run(['cursor', '--yes']);
    assert.equal(exitCode, 0);
    assert.match(stdout, /another entry named locus/);
    await home.run(['--remove', '--yes']);
    assert.equal(home.read('.cursor/mcp.json'), own);
  });

  it('replaces its own entry when the command changes', async () => {
    using home = new Home(FIVE);
    await home.run(['gemini', 'codex', '--yes']);
    home.write(
      '.gemini/settings.json',
      home.read('.gemini/settings.json').replace('Default', 'Dark'),
    );
    const { stdout } = await home.run(['gemini', 'codex', '--yes', '--repo', home.at('.gemini')]);
    assert.match(stdout, /updated/);
    const { args } = readJson(home.read('.gemini/settings.json')).mcpServers.locus;
    assert.deepEqual(args.slice(-3), ['mcp', '--repo', home.at('.gemini')]);
    await home.run(['--remove', '--yes']);
    assert.equal(
      home.read('.gemini/settings.json'),
      CONFIGS['.gemini/settings.json'].replace('Default', 'Dark'),
    );
    assert.equal(home.read('.codex/config.toml'), CONFIGS['.codex/config.toml']);
  });

  it('asks once, and writes nothing without a yes, a terminal or --yes', async () => {
    using home = new Home(FIVE);
    const before = home.snapshot();
    const seated = { terminal: 80, seated: true };
    for (const [args, setting] of [
      [[], {}],
      [[], { ...seated, stdin: 'n\n' }],
      [['--json'], seated],
    ] as const) {
      const { exitCode, stderr, stdout } = await home.run([...args], setting);
      assert.equal(exitCode, 2, stdout);
      assert.match(stderr + stdout, /you did not agree/);
    }
    const shown = await home.run(['--dry-run']);
    assert.equal(shown.exitCode, 0);
    assert.match(shown.stdout, /~\/\.claude\.json {2}server, added to/);
    assert.deepEqual(home.snapshot(), before);
    const agreed = await home.run([], { ...seated, stdin: 'y\n' });
    assert.equal(agreed.exitCode, 0, agreed.stderr);
    assert.match(agreed.stderr, /Write \d+ files\? \[y\/N\]/);
    assert.notDeepEqual(home.snapshot(), before);
  });

  it('shows no other part of a configuration file', async () => {
    using home = new Home({ '.cursor/mcp.json': '{"mcpServers":{},"env":{"TOKEN":"secret-1"}}' });
    const { stdout } = await home.run(['cursor', '--dry-run']);
    const { stdout: asJson } = await home.run(['cursor', '--dry-run', '--json']);
    assert.doesNotMatch(stdout + asJson, /secret-1/);
  });

  it('names the agents that exist if a name is unknown, or none is found', async () => {
    using home = new Home({});
    for (const args of [['clod'], []]) {
      const { exitCode, stderr } = await home.run([...args, '--yes']);
      assert.equal(exitCode, 2);
      assert.match(stderr, /claude, codex, cursor/);
    }
  });
});

describe('locus setup --scope project', () => {
  const inProject = async (project: string, home: Home, args: string[]) => {
    const folder = process.cwd();
    process.chdir(project);
    try {
      return await home.run([...args, '--scope', 'project']);
    } finally {
      process.chdir(folder);
    }
  };

  it('writes files without paths of this machine, and removes them again', async () => {
    using home = new Home(FIVE);
    const project = join(home.parent, 'shop');
    mkdirSync(join(project, '.git'), { recursive: true });
    mkdirSync(join(project, '.claude'));
    const before = home.snapshot(project);
    const all = AGENTS.map(({ id }) => id);
    const { exitCode, stderr } = await inProject(project, home, [...all, '--yes']);
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /git shows them/);
    const config = readFileSync(join(project, '.mcp.json'), 'utf8');
    assert.deepEqual(JSON.parse(config).mcpServers.locus, {
      type: 'stdio',
      command: 'locus',
      args: ['mcp'],
    });
    for (const [path, content] of Object.entries(home.snapshot(project))) {
      const [, , bytes = ''] = content.split(' ');
      assert.doesNotMatch(Buffer.from(bytes, 'base64').toString(), new RegExp(home.parent), path);
    }
    await inProject(project, home, ['--remove', '--yes']);
    assert.deepEqual(home.snapshot(project), before);
  });

  it('follows no link out of the project', async () => {
    using home = new Home(FIVE);
    const project = join(home.parent, 'shop');
    mkdirSync(join(project, '.git'), { recursive: true });
    symlinkSync(home.at('.cursor'), join(project, '.cursor'));
    const before = home.snapshot();
    const { exitCode, stdout } = await inProject(project, home, ['cursor', '--yes']);
    assert.equal(exitCode, 2);
    assert.match(stdout, /\.cursor is a symbolic link/);
    assert.deepEqual(home.snapshot(), before);
    // Nor does a link that was put there after the setup.
    rmSync(join(project, '.cursor'));
    await inProject(project, home, ['cursor', '--yes']);
    rmSync(join(project, '.cursor'), { recursive: true });
    symlinkSync(home.at('.cursor'), join(project, '.cursor'));
    assert.equal((await inProject(project, home, ['--remove', '--yes'])).exitCode, 2);
    assert.deepEqual(home.snapshot(), before);
  });
});

describe('a configuration file that cannot be edited', () => {
  const deep = '['.repeat(100_000);
  const BROKEN: Record<string, [string, string | Uint8Array, RegExp]> = {
    'has a syntax error': [
      '.cursor/mcp.json',
      '{\n  "a": 1\n  "b": 2\n}',
      /mcp\.json:3 is not valid JSON/,
    ],
    'is no object': ['.cursor/mcp.json', '[]', /is not a JSON object/],
    'has the key twice': [
      '.cursor/mcp.json',
      '{"mcpServers":{},\n"mcpServers":{}}',
      /mcp\.json:2 has the key "mcpServers" twice/,
    ],
    'has another value there': ['.cursor/mcp.json', '{"mcpServers":[]}', /has no object at/],
    'is nested deeply': ['.cursor/mcp.json', `{"a":${deep}`, /nested too deeply/],
    'is not UTF-8': [
      '.cursor/mcp.json',
      Buffer.from('{"a":"\xff"}', 'latin1'),
      /not encoded as UTF-8/,
    ],
    'is UTF-16': ['.cursor/mcp.json', Buffer.from('\ufeff{}', 'utf16le'), /not encoded as UTF-8/],
    'is huge': ['.cursor/mcp.json', Buffer.alloc(17 * 2 ** 20, 32), /more than/],
    'is broken TOML': ['.codex/config.toml', 'a = 1\nb = \n', /config\.toml:2 is not valid TOML/],
    'has an inline table': [
      '.codex/config.toml',
      'mcp_servers = { a = { command = "a" } }\n',
      /left as it is/,
    ],
    'is broken YAML': ['.config/goose/config.yaml', 'a: [1\nb: 2\n', /is not valid YAML/],
    'has two documents': [
      '.config/goose/config.yaml',
      'a: 1\n---\nb: 2\n',
      /several YAML documents/,
    ],
    'has an anchor in its place': [
      '.config/goose/config.yaml',
      'x: &x {a: {type: builtin}}\nextensions: *x\n',
      /left as it is/,
    ],
  };
  for (const [name, [path, content, message]] of Object.entries(BROKEN)) {
    it(`is left as it is if it ${name}, and the others are set up`, async () => {
      using home = new Home({ '.claude.json': CONFIGS['.claude.json'], [path]: content });
      const before = home.snapshot()[path];
      const { exitCode, stdout } = await home.run(['--yes']);
      assert.equal(exitCode, 2, stdout);
      assert.match(stdout, message);
      assert.equal(home.snapshot()[path], before);
      assert.ok(readJson(home.read('.claude.json')).mcpServers.locus);
    });
  }

  it('is left as it is if it is a folder, read-only, or a link to nothing', async () => {
    using home = new Home({ '.cursor/mcp.json/x': '', '.gemini/settings.json': '{}' });
    chmodSync(home.at('.gemini/settings.json'), 0o444);
    mkdirSync(home.at('.kiro/settings'), { recursive: true });
    symlinkSync(home.at('missing'), home.at('.kiro/settings/mcp.json'));
    const { exitCode, stdout } = await home.run(['--yes']);
    assert.equal(exitCode, 2);
    assert.match(stdout, /mcp\.json is a folder/);
    assert.match(stdout, /settings\.json is read-only/);
    assert.match(stdout, /is a link to a missing file/);
    assert.equal(home.read('.gemini/settings.json'), '{}');
    assert.ok(!existsSync(home.at('missing')));
  });

  it('is kept with its entry in the journal if it breaks after the setup', async () => {
    using home = new Home(FIVE);
    await home.run(['cursor', '--yes']);
    home.write('.cursor/mcp.json', '{"mcpServers":');
    const { exitCode, stdout } = await home.run(['--remove', '--yes']);
    assert.equal(exitCode, 2);
    assert.match(stdout, /is not valid JSON/);
    assert.equal(home.read('.cursor/mcp.json'), '{"mcpServers":');
    assert.ok(home.listStored().includes('journal.json'));
  });
});

describe('a configuration file', () => {
  it('keeps hostile keys, its mode and its link', async () => {
    const hostile =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{}},"mcpServers":{"__proto__":{"command":"x"}}}';
    using home = new Home({ 'dotfiles/mcp.json': hostile, '.cursor/x': '' });
    chmodSync(home.at('dotfiles/mcp.json'), 0o640);
    symlinkSync(home.at('dotfiles/mcp.json'), home.at('.cursor/mcp.json'));
    const before = home.snapshot();
    assert.equal((await home.run(['cursor', '--yes'])).exitCode, 0);
    assert.equal(({} as { polluted?: number }).polluted, undefined);
    assert.match(
      home.read('dotfiles/mcp.json'),
      /"__proto__":\{"polluted":1\}.*"locus".*"__proto__"/,
    );
    assert.match(home.snapshot()['dotfiles/mcp.json'] ?? '', /^file 640/);
    assert.match(home.snapshot()['.cursor/mcp.json'] ?? '', /^link/);
    await home.run(['--remove', '--yes']);
    assert.deepEqual(home.snapshot(), before);
  });

  it('is not written if it changed after it was shown', async () => {
    using home = new Home(FIVE);
    const [gemini] = AGENTS.filter(({ id }) => id === 'gemini');
    const command = { command: 'locus', args: [] };
    const context = {
      places: findPlaces({ HOME: home.path }, 'linux'),
      project: null,
      server: { terminal: command, desktop: command, shared: command },
      folders: [],
      skill: '',
      hooks: false,
    };
    const journal = await Journal.read(home.dataDir);
    const files = await planSetup([gemini!], context, journal);
    home.write('.gemini/settings.json', '{"theme":"New"}');
    const failures = await applySetup(files, journal);
    const path = home.at('.gemini/settings.json');
    assert.match(failures.get(path)?.message ?? '', /was changed meanwhile/);
    assert.equal(home.read('.gemini/settings.json'), '{"theme":"New"}');
  });
});

describe('the journal', () => {
  it('lets one setup run at a time', async () => {
    using home = new Home(FIVE);
    mkdirSync(home.dataDir);
    await runAlone(home.dataDir, async () => {
      const { exitCode, stderr } = await home.run(['--yes']);
      assert.equal(exitCode, 4);
      assert.match(stderr, /Another locus setup is running/);
    });
    assert.equal(home.read('.claude.json'), CONFIGS['.claude.json']);
  });

  it('recovers from a kill between the backup, the journal and the file', async () => {
    using home = new Home(FIVE);
    const before = home.snapshot();
    await home.run(['--yes']);
    const after = home.snapshot();
    // The journal names the file, which was not written.
    home.write('.claude.json', CONFIGS['.claude.json']);
    rmSync(home.at('.agents'), { recursive: true });
    // A backup that the journal does not name.
    const stray = join(home.dataDir, 'setup', `${'0'.repeat(16)}.backup`);
    writeFileSync(stray, 'x');
    await home.run(['--yes']);
    assert.deepEqual(home.snapshot(), after);
    assert.ok(!existsSync(stray));
    home.write('.claude.json', CONFIGS['.claude.json']);
    await home.run(['--remove', '--yes']);
    assert.deepEqual(home.snapshot(), before);
  });

  it('removes only the entry if the backup is gone', async () => {
    using home = new Home(FIVE);
    const before = home.snapshot();
    await home.run(['--yes']);
    for (const name of home.listStored())
      if (name.endsWith('.backup')) rmSync(join(home.dataDir, 'setup', name));
    await home.run(['--remove', '--yes']);
    assert.deepEqual(home.snapshot(), before);
  });

  it('is an error if it is damaged, and nothing is changed', async () => {
    using home = new Home(FIVE);
    await home.run(['--yes']);
    const before = home.snapshot();
    writeFileSync(join(home.dataDir, 'setup', 'journal.json'), '{"version":1,"files":[{}]}');
    for (const args of [['--yes'], ['--remove', '--yes']]) {
      const { exitCode, stderr } = await home.run(args);
      assert.equal(exitCode, 4);
      assert.match(stderr, /journal .* is damaged/);
    }
    assert.deepEqual(home.snapshot(), before);
    await assert.rejects(Journal.read(home.dataDir), { code: 'bad-store' });
  });
});
