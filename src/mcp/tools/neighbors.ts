import { z } from 'zod';
import { assertPresent } from '../../shared/assert-present.ts';
import { describeEnd, type Neighborhood } from '../../shared/call-graph.ts';
import { QUERIES } from '../../shared/queries.ts';
import { escapeHidden, quoteText } from '../../shared/quote.ts';
import type { Repository } from '../../shared/repository.ts';
import {
  chunkLocation,
  describePartial,
  formatChunkName,
  formatLocation,
  formatPartial,
  partialAnswer,
} from '../answer.ts';
import { DEFAULT_WAIT_S, defineTool, nameArgument, repositoryArgument } from '../tool.ts';

const { direction } = QUERIES.neighbors.request.shape;

const input = z.object({
  name: nameArgument,
  repository: repositoryArgument,
  direction: z
    .enum([...direction.unwrap().options, 'tests'])
    .default('both')
    .describe('tests: tests that reach it through calls, at any distance'),
  depth: z.int().min(1).max(3).default(1).describe('Maximum number of steps from the function'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(15)
    .describe('Maximum number of callers, and of callees; the nearest first, tests last'),
});

const neighbor = chunkLocation.extend({
  distance: z.number(),
  /** True if the call, or one on the path from the test, was guessed by its name. */
  guess: z.boolean(),
  /** First function that a test calls; absent if it is the function itself. */
  through: z.string().optional(),
});
type Neighbor = z.output<typeof neighbor>;

const output = z.object({
  of: chunkLocation,
  /** Callers, or tests if the direction is `tests`. */
  callers: z.array(neighbor),
  omittedCallers: z.number(),
  callees: z.array(neighbor),
  omittedCallees: z.number(),
  /** Reason why there may be more tests. */
  note: z.string().optional(),
  partial: partialAnswer,
});

/** Maximum number of neighbors from which the shown ones are chosen. */
const MAX_NEIGHBORS = 500;

export const neighbors = defineTool({
  name: 'neighbors',
  title: 'Callers, callees and tests',
  description: `${QUERIES.neighbors.summary} It follows imports, classes and assignments, so it excludes calls of other functions with the same name. Direction tests: which tests to run after an edit.`,
  input,
  output,
  async answer({ name, repository, direction, depth, limit }, call) {
    return call.ask(repository, DEFAULT_WAIT_S, async (opened, freshness) => {
      const found =
        direction === 'tests'
          ? await findTests(opened, name, limit)
          : await findCalls(opened, { chunk: name, direction, depth }, limit);
      const value = { ...found, partial: describePartial(freshness) };
      return { value, text: formatText(value, direction === 'tests' ? TESTS : CALLS) };
    });
  },
});

async function findCalls(
  repository: Repository,
  request: Parameters<Repository['neighbors']>[0],
  limit: number,
) {
  const around = await repository.neighbors({ ...request, limit: MAX_NEIGHBORS });
  const center = around.nodes.find(({ address }) => address === around.center);
  const [callers, callees] = [listSide(around, -1), listSide(around, 1)];
  return {
    of: formatLocation(assertPresent(center, 'the center of a neighborhood')),
    callers: callers.slice(0, limit),
    omittedCallers: Math.max(0, callers.length - limit),
    callees: callees.slice(0, limit),
    omittedCallees: Math.max(0, callees.length - limit),
    ...(around.note !== null && { note: escapeHidden(around.note) }),
  };
}

async function findTests(repository: Repository, chunk: string, limit: number) {
  const { of, tests, hidden, ended } = await repository.tests({ chunk, limit });
  return {
    of: formatLocation(of),
    callers: tests.map(({ distance, guess, next, ...test }): Neighbor => {
      const through = distance > 1 && { through: formatLocation(next).name };
      return { ...formatLocation(test), distance, guess, ...through };
    }),
    omittedCallers: hidden,
    ...{ callees: [], omittedCallees: 0 },
    ...(ended && { note: describeEnd(ended) }),
  };
}

/** Returns the callers (-1) or callees (1): the nearest first, and at equal distance source code before tests. */
function listSide({ nodes, edges }: Neighborhood, sign: -1 | 1): Neighbor[] {
  return nodes
    .filter(({ distance }) => Math.sign(distance) === sign)
    .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance) || toRoleRank(a) - toRoleRank(b))
    .map((node) => {
      const leading = edges.filter((edge) =>
        sign < 0 ? edge.caller === node.address : edge.callee === node.address,
      );
      return {
        ...formatLocation(node),
        distance: Math.abs(node.distance),
        guess: leading.length > 0 && leading.every(({ guess }) => guess),
      };
    });
}

const toRoleRank = ({ role }: Neighborhood['nodes'][number]) => Number(role !== 'source');

const CALLS = { callers: 'called by:', none: 'No calls to or from it were found.' };
const TESTS = {
  callers: 'tests that reach it:',
  none: 'No test reaches it in the call graph.',
};

function formatText(value: z.output<typeof output>, titles: typeof CALLS): string {
  const { of, callers, omittedCallers, callees, omittedCallees, note } = value;
  return [
    formatChunkName(of),
    ...(callers.length + callees.length === 0 ? [titles.none] : []),
    ...formatList(titles.callers, callers, omittedCallers),
    ...formatList('calls:', callees, omittedCallees),
    ...(note === undefined ? [] : [`note: ${note}`]),
    ...formatPartial(value.partial),
  ].join('\n');
}

function formatList(title: string, list: Neighbor[], leftOut: number): string[] {
  if (list.length === 0) return [];
  const more = leftOut > 0 ? [`  … and ${leftOut} more: use a larger limit`] : [];
  return [title, ...list.map((one) => `  ${formatChunkName(one)}${describePath(one)}`), ...more];
}

function describePath({ distance, guess, through }: Neighbor): string {
  const remarks = [
    ...(distance > 1 ? [`${distance} steps`] : []),
    ...(through === undefined ? [] : [`through ${quoteText(through)}`]),
    ...(guess ? ['guessed by name'] : []),
  ];
  return remarks.length > 0 ? `, ${remarks.join(', ')}` : '';
}
