/** Validates the facts of a file from another machine's parser, before the call graph uses them. */

import { z } from 'zod';
import { boundedList, wellFormed } from '../../base/bounded-json.ts';
import { parseBounded } from '../../base/json.ts';
import { EDGE_KINDS } from '../../shared/call-graph.ts';
import { REGISTRATION_KINDS } from '../../shared/registration.ts';
import type { FileFacts } from '../languages/facts.ts';
import { count } from './part.ts';

/** Maximum number of items in a list of facts. The parser writes fewer. */
const MAX_FACTS = 100_000;
/** Maximum number of names in a chain or types of a function: more than one line or signature contains. */
const MAX_NAMES = 10_000;

const LIMITS = { maxDepth: 8, maxContainers: 1_000_000, maxValues: 4_000_000 };

const name = wellFormed(2 ** 20);
const names = boundedList(name, MAX_NAMES);
const owners = boundedList(z.strictObject({ scope: count, type: name }), MAX_FACTS).optional();

const importFact = z.strictObject({
  module: name,
  level: count,
  member: z.union([name, z.null()]),
  local: name,
  scope: count,
});

const bindingFact = z.strictObject({
  scope: count,
  target: name,
  value: name,
  how: z.enum(['call', 'alias', 'type', 'return']),
});

const referenceFact = z.strictObject({
  scope: count,
  chain: names,
  kind: z.enum(EDGE_KINDS),
  line: count,
  column: count,
  args: count.optional(),
  given: names.optional(),
  receivers: boundedList(names, MAX_NAMES).optional(),
  host: z.literal(true).optional(),
});

const arityFact = z.strictObject({
  scope: count,
  least: count,
  most: z.union([count, z.null()]),
  types: names.optional(),
  result: name.optional(),
});

const registrationFact = z.strictObject({
  scope: count,
  kind: z.enum(REGISTRATION_KINDS),
  key: name,
  handler: names.optional(),
  member: name.optional(),
  line: count,
  column: count,
});

const manifest = z.strictObject({
  entries: boundedList(z.strictObject({ kind: name, name, to: names }), MAX_FACTS),
  problem: z.union([name, z.null()]),
});

const fileFacts = z.strictObject({
  imports: boundedList(importFact, MAX_FACTS),
  bindings: boundedList(bindingFact, MAX_FACTS),
  references: boundedList(referenceFact, MAX_FACTS),
  locals: boundedList(
    z.strictObject({ scope: count, names: boundedList(name, MAX_FACTS) }),
    MAX_FACTS,
  ).optional(),
  namespace: name.optional(),
  owners,
  extensions: owners,
  arities: boundedList(arityFact, MAX_FACTS).optional(),
  properties: boundedList(count, MAX_FACTS).optional(),
  registrations: boundedList(registrationFact, MAX_FACTS).optional(),
  manifest: manifest.optional(),
  omitted: count.optional(),
});

/** Parses facts. Returns null if they are invalid for a file with this number of chunks. */
export function parseFacts(json: string, chunks: number): FileFacts | null {
  const { data } = fileFacts.safeParse(parseBounded(Buffer.from(json), LIMITS));
  if (!data) return null;
  const { imports, bindings, references, locals, owners, extensions, arities, registrations } =
    data;
  const lists = [imports, bindings, references, locals, owners, extensions, arities, registrations];
  const scopes = lists.flatMap((list) => list?.map(({ scope }) => scope) ?? []);
  const isKnown = (chunk: number) => chunk < chunks;
  const isSound = scopes.every(isKnown) && (data.properties ?? []).every(isKnown);
  return isSound ? (data as FileFacts) : null;
}
