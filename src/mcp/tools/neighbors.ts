import { z } from 'zod';
import type { Neighborhood } from '../../shared/call-graph.ts';
import { MAX_CHUNK_NAME } from '../../shared/limits.ts';
import { present } from '../../shared/present.ts';
import { inText, place, placeOf } from '../chunk.ts';
import { partial, partialLines, partialOf } from '../partial.ts';
import { repositoryArgument, tool, WAIT_S } from '../tool.ts';

const input = z.object({
  name: z
    .string()
    .min(1)
    .max(MAX_CHUNK_NAME)
    .describe('path::qualified.name as `locate` gives it, path:line, or a name that occurs once'),
  repository: repositoryArgument,
  direction: z.enum(['callers', 'callees', 'both']).default('both'),
  depth: z.int().min(1).max(3).default(1).describe('Steps from the function'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(15)
    .describe('Functions at most, of callers and of callees; the nearest stay, tests last'),
});

const neighbor = place.extend({
  /** Steps from the function asked about. */
  distance: z.number(),
  /** Only its name speaks for the call. */
  guess: z.boolean(),
});

const output = z.object({
  of: place,
  callers: z.array(neighbor),
  callersLeftOut: z.number(),
  callees: z.array(neighbor),
  calleesLeftOut: z.number(),
  partial,
});

/** Neighbours that are looked at, to choose those that are shown. */
const MOST_LOOKED_AT = 500;

/** `neighbors`: the call graph around a function. */
export const neighbors = tool({
  name: 'neighbors',
  title: 'Callers and callees',
  description:
    'What calls a function and what it calls, from the call graph: imports, classes and assignments are followed, so that calls of another function of the same name are left out.',
  input,
  output,
  async answer({ name, repository, direction, depth, limit }, call) {
    const index = call.index(repository);
    return index.ask(call.question(WAIT_S), async (opened, freshness) => {
      const request = { chunk: name, direction, depth, limit: MOST_LOOKED_AT };
      const around = await opened.neighbors(request);
      const center = around.nodes.find(({ address }) => address === around.center);
      const [callers, callees] = [side(around, -1), side(around, 1)];
      const value = {
        of: placeOf(present(center, 'the center of a neighborhood')),
        callers: callers.slice(0, limit),
        callersLeftOut: Math.max(0, callers.length - limit),
        callees: callees.slice(0, limit),
        calleesLeftOut: Math.max(0, callees.length - limit),
        partial: partialOf(freshness),
      };
      return { value, text: inWords(value) };
    });
  },
});

/** The functions on one side: the nearest first, and of those source before what is none. */
function side({ nodes, edges }: Neighborhood, sign: -1 | 1): z.output<typeof neighbor>[] {
  return nodes
    .filter(({ distance }) => Math.sign(distance) === sign)
    .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance) || late(a) - late(b))
    .map((node) => {
      const leading = edges.filter((edge) =>
        sign < 0 ? edge.caller === node.address : edge.callee === node.address,
      );
      return {
        ...placeOf(node),
        distance: Math.abs(node.distance),
        guess: leading.length > 0 && leading.every(({ guess }) => guess),
      };
    });
}

const late = ({ role }: Neighborhood['nodes'][number]) => Number(role !== 'source');

function inWords(value: z.output<typeof output>): string {
  const { of, callers, callersLeftOut, callees, calleesLeftOut, partial: missing } = value;
  return [
    inText(of),
    ...(callers.length + callees.length === 0 ? ['no calls to or from it were found'] : []),
    ...lines('called by:', callers, callersLeftOut),
    ...lines('calls:', callees, calleesLeftOut),
    ...partialLines(missing),
  ].join('\n');
}

function lines(title: string, list: z.output<typeof neighbor>[], leftOut: number): string[] {
  if (list.length === 0) return [];
  const more = leftOut > 0 ? [`  … and ${leftOut} more: give a larger limit`] : [];
  return [title, ...list.map((one) => `  ${inText(one)}${how(one)}`), ...more];
}

function how({ distance, guess }: z.output<typeof neighbor>): string {
  const said = [
    ...(distance > 1 ? [`${distance} steps`] : []),
    ...(guess ? ['guessed by name'] : []),
  ];
  return said.length > 0 ? `, ${said.join(', ')}` : '';
}
