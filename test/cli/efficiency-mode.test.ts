import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enableEfficiencyMode } from '../../src/cli/efficiency-mode.ts';

/** Returns the flags that a command sets in a version of V8. */
function listFlags(command: string, v8: string): string[] {
  const flags: string[] = [];
  const builtin = { setFlagsFromString: (flag: string) => flags.push(flag) };
  const started = {
    argv: ['node', 'locus.js', command],
    versions: { v8 },
    getBuiltinModule: () => builtin,
  };
  enableEfficiencyMode(started as unknown as NodeJS.Process);
  return flags;
}

test('a brief command has V8 optimize less, where V8 knows the flag', () => {
  assert.deepEqual(listFlags('search', '13.6.233.17-node.51'), ['--efficiency-mode']);
  for (const command of ['index', 'serve', 'mcp', 'daemon', '--help'])
    assert.deepEqual(listFlags(command, '13.6.233.17-node.51'), []);
  for (const v8 of ['12.4.254.21-node.33', '14.1.146.11-node.14', '113.6'])
    assert.deepEqual(listFlags('search', v8), [], v8);
});
