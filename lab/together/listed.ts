/**
 * What relates the candidates of a list by what the list itself says of them: their names, texts and first four callees.
 * Quick, and blind to history, to overrides and to calls of what is no candidate.
 */
import { countTerms, LexicalIndex, queryTerms } from '../../src/engine/lab.ts';
import type { List } from '../lists/list.ts';
import { KINDS, type Kind, type Related, type Relations, rounded, shared } from './relation.ts';
import { partedBy } from './words.ts';

/** Words of a chunk that are looked for in others. */
const TELLING = 30;

type Candidate = List['candidates'][number];

/** @param sources places of the candidates that others are related to */
export function listedRelations(list: List, sources: readonly number[]): Relations {
  const { candidates, instance, issue } = list;
  const lexical = indexOf(candidates);
  const words = lexical.query(
    new Map(Array.from(queryTerms(issue), ([word, count]) => [word, Math.sqrt(count)])),
  );
  const places = [...candidates.keys()];
  const traits = candidates.map(traitsOf);
  const callers = Map.groupBy(
    traits.flatMap(({ callees }) => [...callees]),
    (callee) => callee,
  );
  const namesakes = Map.groupBy(traits, ({ simple }) => simple);
  const of = sources.map((place): Related => {
    const parted = partedBy(place, words, lexical);
    const like = lexical.scoreSome(places, lexical.termsOf([place], TELLING));
    const own = like[place] || 1;
    return {
      place,
      pairs: places.flatMap((other) => {
        const [a, b] = [traits[place], traits[other]];
        return a && b && place !== other ? pairsOf(a, b, other) : [];
      }),
      explained: [...lexical.scoreSome(places, parted.explained)].map(rounded),
      rest: [...lexical.scoreSome(places, parted.rest)].map(rounded),
      alike: Array.from(like, (value) => rounded(value / own)),
    };
  });
  return { instance, chunks: candidates.length, kinds: [...KINDS], of };

  function pairsOf(a: Traits, b: Traits, place: number): Related['pairs'] {
    const pairs: Related['pairs'] = [];
    const add = (kind: Kind, value: number | boolean) => {
      if (Number(value) > 0) pairs.push([place, KINDS.indexOf(kind), rounded(Number(value))]);
    };
    const inFile = a.path === b.path;
    add('sameFile', inFile);
    add('sameClass', inFile && a.parent !== '' && a.parent === b.parent);
    add('classOf', inFile && b.isClass && a.parent === b.name);
    add('member', inFile && a.isClass && b.parent === a.name);
    const constructs = b.simple === '__init__' && (a.isClass ? a.name : a.parent) === b.parent;
    add('initializer', inFile && constructs);
    if (a.simple === b.simple && !a.simple.startsWith('__'))
      add('sameName', shared((namesakes.get(a.simple)?.length ?? 2) - 1));
    add('called', a.callees.has(b.head) && shared(callers.get(b.head)?.length ?? 1));
    add('calls', b.callees.has(a.head) && shared(callers.get(a.head)?.length ?? 1));
    const both = [...a.callees].filter((callee) => b.callees.has(callee));
    add(
      'usesSame',
      both.reduce((sum, callee) => sum + 1 / (callers.get(callee)?.length ?? 1), 0),
    );
    return pairs;
  }
}

interface Traits {
  path: string;
  name: string;
  simple: string;
  parent: string;
  isClass: boolean;
  /** Where it is and how its text begins: what a callee is known by. */
  head: string;
  callees: Set<string>;
}

function traitsOf({ path, name, kind, text, callees }: Candidate): Traits {
  const dot = name.lastIndexOf('.');
  return {
    path,
    name,
    simple: name.slice(dot + 1),
    parent: name.slice(0, Math.max(0, dot)),
    isClass: kind === 'class',
    head: headOf(path, text),
    callees: new Set(callees.map((callee) => headOf(callee.path, callee.text))),
  };
}

function headOf(path: string, text: string): string {
  return `${path}\n${text.slice(0, 120)}`;
}

/** The candidates as an index of words, by place. */
function indexOf(candidates: readonly Candidate[]): LexicalIndex {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const index = new LexicalIndex({ idOf: (term) => numbers.get(term), termOf: (id) => names[id] });
  for (const [place, { path, name, kind, text, signatureEnd, doc }] of candidates.entries()) {
    const chunk = { kind: kindOf(kind), qualifiedName: name, text, signatureEnd, doc };
    const { terms, entries } = countTerms(path, [chunk]);
    const ids = terms.map((term) => {
      const known = numbers.get(term) ?? names.push(term) - 1;
      numbers.set(term, known);
      return known;
    });
    index.add(
      place,
      entries.map((entry) => ((ids[entry >>> 11] ?? 0) << 11) | (entry & 2047)),
    );
  }
  index.build();
  return index;
}

function kindOf(kind: string): 'class' | 'function' | 'method' {
  return kind === 'class' || kind === 'method' ? kind : 'function';
}
