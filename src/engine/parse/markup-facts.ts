import type { BindingFact, ImportFact, OwnerFact } from '../languages/facts.ts';
import { formatComponentModule, type MarkupForm, TEMPLATE_NAME } from '../languages/markup.ts';
import type { Definition } from './definitions.ts';
import type { QueryMatch } from './query-match.ts';
import type { Matches } from './tree-query.ts';
import type { ParsedChunk } from './types.ts';

const MODULE = 0;
const DEFAULT = 'default';

/** Facts about the templates of a file. */
export interface MarkupFacts {
  /** Components that it uses without importing them. */
  imports: readonly ImportFact[];
  bindings: readonly BindingFact[];
  owners: readonly OwnerFact[];
  locals: readonly { scope: number; name: string }[];
  /** Indices of the chunks that are parts of templates. */
  scopes: ReadonlySet<number>;
  /** Receivers of bare names in a template: the component, if it is an object with methods. */
  receivers: string[][];
  /** Names of members of the component that a template cannot mean. */
  hidden: ReadonlySet<string>;
}

interface Source {
  chunks: readonly ParsedChunk[];
  definitions: readonly Definition[];
  /** Definitions that are chunks: chunk i is made from the one at i - 1. */
  chunkDefinitions: readonly Definition[];
  /** Name of the object in its own methods: `this`. */
  instanceName: string;
  form: Partial<MarkupForm>;
}

/**
 * Reads the facts about templates; null for a file without one. A component is the class that the file exports, and its template
 * is a method of it. Without such a class, the component is its template.
 */
export function readMarkupFacts(
  source: Source,
  imports: readonly ImportFact[],
  bindings: readonly BindingFact[],
): MarkupFacts | null {
  const { chunks, chunkDefinitions, instanceName } = source;
  const { isHidden } = source.form;
  const sections = chunkDefinitions.flatMap(({ section }, i) =>
    section ? [{ scope: i + 1, section }] : [],
  );
  if (sections.length === 0) return null;
  const bound = new Set([
    ...imports.filter(({ scope }) => scope === MODULE).map(({ local }) => local),
    ...bindings.filter(({ scope }) => scope === MODULE).map(({ target }) => target),
    ...chunks.filter(({ parent }) => parent < 0).map(({ name }) => name),
  ]);
  const used = new Set(sections.flatMap(({ section }) => section.components));
  const component = findComponent(chunks, bindings);
  const alias: BindingFact = { scope: MODULE, target: DEFAULT, value: TEMPLATE_NAME, how: 'alias' };
  return {
    imports: [...used]
      .filter((name) => !bound.has(name))
      .map((local) => {
        const module = formatComponentModule(local);
        return { module, level: 0, member: DEFAULT, local, scope: MODULE };
      }),
    bindings:
      component === null
        ? [alias].filter(() => !bound.has(DEFAULT))
        : bindInitialized(source, component),
    owners: component === null ? [] : sections.map(({ scope }) => ({ scope, type: component })),
    locals: sections.flatMap(({ scope, section }) =>
      section.locals.map((name) => ({ scope, name })),
    ),
    scopes: new Set(sections.map(({ scope }) => scope)),
    receivers: component === null ? [] : [[instanceName]],
    hidden: isHidden ? findHidden(chunks, isHidden) : new Set(),
  };
}

/** Returns the name of the class that is the default export; null without such a class. */
function findComponent(
  chunks: readonly ParsedChunk[],
  bindings: readonly BindingFact[],
): string | null {
  const exported = bindings.find(({ scope, target }) => scope === MODULE && target === DEFAULT);
  const name = exported?.value ?? DEFAULT;
  const isClass = chunks.some((one) => one.kind === 'class' && one.parent < 0 && one.name === name);
  return isClass ? name : null;
}

/** Binds the names of functions in the initializer of a component to the initializer, which contains them. */
function bindInitialized(
  { chunks, chunkDefinitions, definitions, instanceName, form: { initializer } }: Source,
  component: string,
): BindingFact[] {
  const scope = chunks.findIndex(
    ({ qualifiedName }) => qualifiedName === `${component}.${initializer}`,
  );
  const around = chunkDefinitions[scope - 1];
  if (!around) return [];
  return definitions
    .filter(({ parent }) => parent === around)
    .map(({ name }): BindingFact => {
      const [target, value] = [`${instanceName}.${name}`, `${instanceName}.${initializer}`];
      return { scope, target, value, how: 'alias' };
    });
}

function findHidden(
  chunks: readonly ParsedChunk[],
  isHidden: (qualifiedName: string) => boolean,
): ReadonlySet<string> {
  const members = Map.groupBy(chunks, ({ qualifiedName }) => isHidden(qualifiedName));
  const hidden = new Set(members.get(true)?.map(({ name }) => name));
  return hidden.difference(new Set(members.get(false)?.map(({ name }) => name)));
}

/** Returns the names in templates, except for those of calls, which are calls anyway, and of HTML's elements. */
export function selectMentions(
  matches: Matches,
  isInTemplate: (match: QueryMatch) => boolean,
): QueryMatch[] {
  const others = [...(matches.get('call') ?? []), ...(matches.get('element') ?? [])];
  const known = new Set(others.map((match) => match.get('name').startIndex));
  return (matches.get('mention') ?? []).filter(
    (match) => !known.has(match.get('name').startIndex) && isInTemplate(match),
  );
}
