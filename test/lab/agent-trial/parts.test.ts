/* Tests parts of `npm run lab -- agent-trial`: answers, transcripts, logs and the report. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRanks, isSameFunction, readNames } from '../../../lab/agent-trial/answer.ts';
import { joinPipelines } from '../../../lab/agent-trial/call-log.ts';
import type { Outcome } from '../../../lab/agent-trial/outcome.ts';
import { estimateRatio, formatReport } from '../../../lab/agent-trial/report.ts';
import type { Arm } from '../../../lab/agent-trial/tools.ts';
import { readTranscript } from '../../../lab/agent-trial/transcript.ts';

const lines = (...events: object[]) => events.map((event) => JSON.stringify(event)).join('\n');

describe('an answer', () => {
  const read = (answer: string) => readNames(answer, '/tmp/checkout');

  it('is JSON lines, one JSON value, or names in prose', () => {
    const named = ['a.py::A.f', 'b.cc::ns::g'];
    assert.deepEqual(read('{"edit": "a.py::A.f"}\n{"edit": "b.cc::ns::g"}'), named);
    assert.deepEqual(read('{"edits": ["a.py::A.f", {"edit": "b.cc::ns::g"}]}'), named);
    assert.deepEqual(read('```json\n1. {"edit": "./a.py::A.f()"}\n```\nNot z.py::z.'), [
      'a.py::A.f',
    ]);
    assert.deepEqual(read('Edit `/tmp/checkout/a.py::A.f`, then b.cc::ns::g'), named);
    assert.deepEqual(read('I do not know: nothing fits {here}.'), []);
    assert.deepEqual(read('{"edit": "a.py::f"}\n{"edit": "a.py::f"}'), ['a.py::f']);
  });

  it('means a function by its path and the end of its name', () => {
    assert.ok(isSameFunction('a.py::Cart.total', 'a.py::shop.Cart.total'));
    assert.ok(isSameFunction('a.py::total', 'a.py::Cart.total#2'));
    assert.ok(isSameFunction('a.cc::ns::Cart::total', 'a.cc::Cart.total'));
    assert.ok(!isSameFunction('a.py::Cart', 'a.py::Cart.total'));
    assert.ok(!isSameFunction('b.py::Cart.total', 'a.py::Cart.total'));
    assert.ok(!isSameFunction('a.py::subtotal', 'a.py::total'));
  });

  it('ranks what was named before what was only edited', () => {
    const edited = ['a.py::f', 'a.py::g', 'a.py::h'];
    assert.deepEqual(findRanks(edited, ['a.py::x', 'a.py::g'], ['a.py::g', 'a.py::f']), [
      3,
      2,
      null,
    ]);
  });
});

describe('a transcript', () => {
  it('of Claude Code has the answer, the calls and the tokens', () => {
    const use = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'rg x' } };
    const result = {
      type: 'tool_result',
      tool_use_id: 't1',
      content: [{ type: 'text', text: 'héé' }],
    };
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 30 };
    const output = lines(
      { type: 'system', subtype: 'init' },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'I look.' }, use] } },
      { type: 'user', message: { content: [result] } },
      { type: 'result', subtype: 'success', result: 'a.py::f', usage },
    );
    const calls = [{ tool: 'Bash', bytes: 5 }];
    assert.deepEqual(readTranscript(output), { answer: 'a.py::f', tokens: 33, calls });
  });

  it('of Codex has the last message, the calls and the tokens', () => {
    const complete = (item: object) => ({ type: 'item.completed', item });
    const output = lines(
      complete({ type: 'agent_message', text: 'I look.' }),
      complete({ type: 'command_execution', command: 'rg x', aggregated_output: 'abc' }),
      complete({
        ...{ type: 'mcp_tool_call', server: 'locus', tool: 'locate' },
        result: { content: [{ type: 'text', text: 'four' }] },
      }),
      complete({ type: 'agent_message', text: 'a.py::f' }),
      { type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 6 } },
    );
    const calls = [
      { tool: 'sh', bytes: 3 },
      { tool: 'locus locate', bytes: 4 },
    ];
    assert.deepEqual(readTranscript(output), { answer: 'a.py::f', tokens: 11, calls });
  });

  it('of Gemini CLI has the messages, the calls and the tokens', () => {
    const output = lines(
      { type: 'message', role: 'user', content: 'the prompt' },
      { type: 'tool_use', tool_name: 'run_shell_command', tool_id: 'x', parameters: {} },
      { type: 'tool_result', tool_id: 'x', status: 'success', output: 'abc' },
      { type: 'message', role: 'assistant', content: 'a.py', delta: true },
      { type: 'message', role: 'assistant', content: '::f', delta: true },
      { type: 'result', status: 'success', stats: { total_tokens: 7 } },
    );
    const calls = [{ tool: 'run_shell_command', bytes: 3 }];
    assert.deepEqual(readTranscript(output), { answer: 'a.py::f', tokens: 7, calls });
  });

  it('of any other agent is the answer', () => {
    const output = 'Here it is:\n{"edit": "a.py::f"}\n{broken';
    assert.deepEqual(readTranscript(output), { answer: output, tokens: null, calls: null });
  });
});

describe('a log', () => {
  it('counts a pipeline once, with what its last program printed', () => {
    const call = { at: 1, args: '', ms: 1 };
    const rg = { ...call, tool: 'rg', bytes: 900, to: 7 };
    const head = { ...call, tool: 'head', bytes: 20, from: 7, to: 8 };
    const cat = { ...call, tool: 'cat', bytes: 5, to: 9 };
    assert.deepEqual(joinPipelines([rg, head, cat]), [head, cat]);
  });
});

describe('the report', () => {
  const makeOutcome = (
    instance: string,
    arm: Arm,
    rank: number | null,
    calls: number,
  ): Outcome => ({
    ...{ instance, repo: 'a/b', arm, ending: 'answered', edited: ['a.py::f'], named: [] },
    ...{
      changed: [],
      ranks: [rank],
      calls,
      bytes: 1000 * calls,
      tools: {},
      tokens: null,
      seconds: 1,
    },
  });

  it('pairs arms by issue, and leaves out issues that an arm lacks', () => {
    const report = formatReport([
      makeOutcome('a', 'rg', 2, 4),
      makeOutcome('a', 'locus', 1, 2),
      makeOutcome('b', 'locus', 1, 1),
      makeOutcome('b', 'rg', null, 2),
      makeOutcome('c', 'rg', 1, 100),
    ]);
    assert.match(report[0] ?? '', /^2 issues, each in 2 arms\./);
    const row = (start: RegExp) => report.find((line) => start.test(line))?.split(/ *\| */) ?? [];
    assert.deepEqual(row(/^\| rg /).slice(1, 6), ['rg', '0', '1', '1', '3.00 (3.00)']);
    assert.deepEqual(row(/^\| locus +\|/).slice(1, 6), ['locus', '2', '2', '2', '1.50 (1.50)']);
    assert.deepEqual(row(/locus − rg .*commands/).slice(3, 6), [
      '-1.50',
      '-2.00 to -1.00',
      '50% (50% to 50%)',
    ]);
    assert.deepEqual(formatReport([]), ['No issue is finished in all arms.']);
  });

  it('gives the ratio of sums, not the mean of ratios', () => {
    const { ratio, low, high } = estimateRatio([
      [1, 10],
      [9, 10],
    ]);
    assert.equal(ratio, 0.5);
    assert.deepEqual([low, high], [0.1, 0.9]);
  });
});
