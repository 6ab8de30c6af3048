import { z } from 'zod';
import { describeEnd, type Neighborhood } from '../../shared/call-graph.ts';
import { present } from '../../shared/present.ts';
import { QUERIES } from '../../shared/queries.ts';
import { quoted } from '../../shared/quoted.ts';
import type { Repository } from '../../shared/repository.ts';
import { formatLocation, inText, partial, partialLines, partialOf, place } from '../answer.ts';
import { nameArgument, repositoryArgument, tool, WAIT_S } from '../tool.ts';

const { direction } = QUERIES.neighbors.request.shape;

const input = z.object({
  name: nameArgument,
  repository: repositoryArgument,
  direction: z
    .enum([...direction.unwrap().options, 'tests'])
    .default('both')
    .describe('tests: those that reach it, at any distance'),
  depth: z.int().min(1).max(3).default(1).describe('Steps from the function'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(15)
    .describe('Functions at most, of callers and of callees; the nearest stay, tests last'),
});

const neighbor = place.extend({
  distance: z.number(),
  /** True if the call, or one on the way from the test, was chosen by its name alone. */
  guess: z.boolean(),
  /** First step from a test; left out if it is the function itself. */
  through: z.string().optional(),
});
type Neighbor = z.output<typeof neighbor>;

const output = z.object({
  of: place,
  /** With the direction `tests`, the tests. */
  callers: z.array(neighbor),
  callersLeftOut: z.number(),
  callees: z.array(neighbor),
  calleesLeftOut: z.number(),
  /** Reason why there may be more tests. */
  note: z.string().optional(),
  partial,
});

/** Neighbors that are looked at, to choose those that are shown. */
const MOST_LOOKED_AT = 500;

export const neighbors = tool({
  name: 'neighbors',
  title: 'Callers, callees and tests',
  description: `${QUERIES.neighbors.summary} Imports, classes and assignments are followed, so that calls of another function of the same name are left out. Direction tests: which tests to run after an edit.`,
  input,
  output,
  async answer({ name, repository, direction, depth, limit }, call) {
    return call.ask(repository, WAIT_S, async (opened, freshness) => {
      const found =
        direction === 'tests'
          ? await askTests(opened, name, limit)
          : await askCalls(opened, { chunk: name, direction, depth }, limit);
      const value = { ...found, partial: partialOf(freshness) };
      return { value, text: inWords(value, direction === 'tests' ? TESTS : CALLS) };
    });
  },
});

async function askCalls(
  repository: Repository,
  request: Parameters<Repository['neighbors']>[0],
  limit: number,
) {
  const around = await repository.neighbors({ ...request, limit: MOST_LOOKED_AT });
  const center = around.nodes.find(({ address }) => address === around.center);
  const [callers, callees] = [side(around, -1), side(around, 1)];
  return {
    of: formatLocation(present(center, 'the center of a neighborhood')),
    callers: callers.slice(0, limit),
    callersLeftOut: Math.max(0, callers.length - limit),
    callees: callees.slice(0, limit),
    calleesLeftOut: Math.max(0, callees.length - limit),
  };
}

async function askTests(repository: Repository, chunk: string, limit: number) {
  const { of, tests, hidden, ended } = await repository.tests({ chunk, limit });
  return {
    of: formatLocation(of),
    callers: tests.map(({ distance, guess, next, ...test }): Neighbor => {
      const through = distance > 1 && { through: formatLocation(next).name };
      return { ...formatLocation(test), distance, guess, ...through };
    }),
    callersLeftOut: hidden,
    ...{ callees: [], calleesLeftOut: 0 },
    ...(ended && { note: describeEnd(ended) }),
  };
}

/** The functions on one side: the nearest first, and of those source before what is none. */
function side({ nodes, edges }: Neighborhood, sign: -1 | 1): Neighbor[] {
  return nodes
    .filter(({ distance }) => Math.sign(distance) === sign)
    .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance) || late(a) - late(b))
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

const late = ({ role }: Neighborhood['nodes'][number]) => Number(role !== 'source');

const CALLS = { callers: 'called by:', none: 'no calls to or from it were found' };
const TESTS = {
  callers: 'tests that reach it:',
  none: 'no function of a test file reaches it in the call graph',
};

function inWords(value: z.output<typeof output>, titles: typeof CALLS): string {
  const { of, callers, callersLeftOut, callees, calleesLeftOut, note } = value;
  return [
    inText(of),
    ...(callers.length + callees.length === 0 ? [titles.none] : []),
    ...lines(titles.callers, callers, callersLeftOut),
    ...lines('calls:', callees, calleesLeftOut),
    ...(note === undefined ? [] : [`note: ${note}`]),
    ...partialLines(value.partial),
  ].join('\n');
}

function lines(title: string, list: Neighbor[], leftOut: number): string[] {
  if (list.length === 0) return [];
  const more = leftOut > 0 ? [`  … and ${leftOut} more: give a larger limit`] : [];
  return [title, ...list.map((one) => `  ${inText(one)}${how(one)}`), ...more];
}

function how({ distance, guess, through }: Neighbor): string {
  const said = [
    ...(distance > 1 ? [`${distance} steps`] : []),
    ...(through === undefined ? [] : [`through ${quoted(through)}`]),
    ...(guess ? ['guessed by name'] : []),
  ];
  return said.length > 0 ? `, ${said.join(', ')}` : '';
}
