import type { Command } from 'commander';
import { splitAddress } from '../../shared/address.ts';
import { describeEnd, type ReachingTest, type ReachingTests } from '../../shared/call-graph.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import { formatCounted } from '../../shared/format-count.ts';
import { quoteName } from '../../shared/quote.ts';
import { getShownName } from '../../shared/shown-name.ts';
import { chunkQueryCommand } from '../chunk-query.ts';
import type { RunAction } from '../session.ts';
import type { Colors } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus tests . parse_cookie                    the tests to run after editing it
  locus tests . src/app.py::App.run --steps 3   at most 3 calls away
  locus tests . parse_cookie --json | jq -r '.tests[].path' | sort -u

The number is the distance: 1 for a test that calls the function itself. A test marked ? depends on a guessed call: only the
name matches, and it is unique in the repository.`;

export function testsCommand(run: RunAction): Command {
  return chunkQueryCommand<'tests', { steps: number; limit: number }>(run, 'tests', {
    examples: EXAMPLES,
    numbers: {
      steps: {
        flags: '--steps <count>',
        text: 'maximum number of steps from a test to the function',
      },
      limit: { flags: '-n, --limit <count>', text: 'maximum number of tests, nearest first' },
    },
    toRequest: ({ steps, limit }) => ({ steps, limit }),
    render: renderTests,
  });
}

function renderTests({ of, tests, hidden, ended }: ReachingTests, colors: Colors): string[] {
  const line = (chunk: ChunkSummary) =>
    `${quoteName(getShownName(chunk))}  ${colors.dim(`${quoteName(chunk.path)}:${chunk.startLine}`)}`;
  const list = tests.map(
    (test) =>
      `${colors.dim(String(test.distance).padStart(4))}  ${line(test)}${describePath(test, colors)}`,
  );
  const notes = [
    ...(tests.length === 0 ? ['No test reaches it in the call graph.'] : []),
    ...(hidden > 0 ? [`${formatCounted(hidden, 'more test')}. Use a larger --limit.`] : []),
    ...(ended === null ? [] : [describeEnd(ended)]),
  ];
  return [line(of), '', ...list, ...notes.map(colors.dim)];
}

function describePath({ distance, next, guess }: ReachingTest, colors: Colors): string {
  const remarks = [
    ...(distance > 1 ? [`through ${quoteName(splitAddress(next.address).name)}`] : []),
    ...(guess ? ['?'] : []),
  ];
  return remarks.length > 0 ? colors.dim(`  ${remarks.join(', ')}`) : '';
}
