/**
 * Where the parts of a fix stand in the first list, and what relates them:
 * `npm run -s lab -- measure-together --lists <folder> [--relations <folder>]`
 *
 * `--lists` has lists as `training-lists` writes them; `--relations` what `training-relations` wrote of them or of some of
 * them. Without it, relations are what the lists tell of their first hundred candidates.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { mean } from '../../src/services/evaluation/statistics.ts';
import type { List } from '../lists/list.ts';
import { readLists } from '../lists/read.ts';
import { listedRelations } from './listed.ts';
import { KINDS, type Related, type Relations } from './relation.ts';

/** Candidates whose places the lists know; of those that the fix does not edit, so many are compared. */
const LISTED = 100;
const COMPARED = 50;

const TITLES: Record<string, string> = {
  overrides: 'overrides it',
  overridden: 'is overridden by it',
  twin: 'the same method of a sibling class',
  called: 'is called by it',
  calls: 'calls it',
  usesSame: 'calls something that it calls',
  initializer: 'constructor of its class',
  classOf: 'its class',
  member: 'its member',
  inherits: 'inherits from it',
  base: 'its base',
  sameClass: 'of the same class',
  sameName: 'has the same name',
  changedWith: 'changed together with it',
  sameFile: 'in the same file',
};

const { values } = parseArgs({
  options: { lists: { type: 'string' }, relations: { type: 'string' } },
});
if (!values.lists) {
  console.error(
    'usage: npm run -s lab -- measure-together --lists <folder> [--relations <folder>]',
  );
  process.exit(2);
}
const lists = [...readLists(values.lists)].filter(({ candidates }) => candidates.length > 0);
const several = lists.filter(({ edited }) => edited > 1);

printRecall();
printPlaces();
const known = values.relations ? relationsIn(values.relations) : null;
printRelations(known);
if (known) printChanged(known);

/** What is reached, and what would be if all others came right behind the first that is found. */
function printRecall(): void {
  const sizes: [string, number, number][] = [
    ['2', 2, 2],
    ['3', 3, 3],
    ['4 or 5', 4, 5],
    ['6 or more', 6, Number.POSITIVE_INFINITY],
  ];
  const rows = sizes.map(([name, least, most]) => {
    const those = several.filter(({ edited }) => edited >= least && edited <= most);
    const share = (holds: (list: List, ranks: readonly number[]) => boolean) =>
      mean(those.map((list) => Number(holds(list, ranksOf(list))))).toFixed(2);
    const complete = ({ edited }: List, ranks: readonly number[], limit: number) =>
      ranks.filter((rank) => rank <= limit).length === edited;
    const perfect = (limit: number) =>
      share((list, ranks) => {
        const last = (ranks[0] ?? Number.POSITIVE_INFINITY) + list.edited - 1;
        return complete(list, ranks, LISTED) && last <= limit;
      });
    return [
      name,
      String(those.length),
      share((_, ranks) => (ranks[0] ?? Number.POSITIVE_INFINITY) <= 5),
      share((list, ranks) => complete(list, ranks, LISTED)),
      share((list, ranks) => complete(list, ranks, 5)),
      perfect(5),
      share((list, ranks) => complete(list, ranks, 20)),
      perfect(20),
    ];
  });
  const head = ['edited chunks', 'issues', 'one in the first 5', 'all in the first 100'];
  const recalls = [5, 20].flatMap((k) => [`perfect recall@${k}`, `with a perfect second pass`]);
  console.log(`${markdownTable([...head, ...recalls], rows).join('\n')}\n`);
}

/** Where the others stand, by where the first stands. */
function printPlaces(): void {
  const bands: [string, number][] = [
    ['1', 1],
    ['2 to 5', 5],
    ['6 to 20', 20],
    ['21 to 100', LISTED],
    ['lower', Number.POSITIVE_INFINITY],
  ];
  const bandOf = (rank: number) => bands.findIndex(([, last]) => rank <= last);
  const rows = bands.flatMap(([name], band) => {
    const those = several.filter((list) => bandOf(ranksOf(list)[0] ?? Number.NaN) === band);
    if (those.length === 0) return [];
    const shares = bands.map((_, other) =>
      mean(
        those.map((list) => {
          const there = ranksOf(list).slice(1);
          return there.filter((rank) => bandOf(rank) === other).length / (list.edited - 1);
        }),
      ),
    );
    const absent = 1 - shares.reduce((a, b) => a + b, 0);
    return [[name, String(those.length), ...[...shares, absent].map((x) => x.toFixed(2))]];
  });
  const head = ['rank of the first', 'issues', ...bands.map(([name]) => name), 'no candidate'];
  console.log(`${markdownTable(head, rows).join('\n')}\n`);
}

/** How many of the others have a relation to the first, each issue counting the same, and of what is not edited. */
function printRelations(known: Map<string, Relations> | null): void {
  const edited = new Map<string, number[]>();
  const unedited = new Map<string, number[]>();
  let issues = 0;
  for (const list of several) {
    const first = list.candidates.findIndex(({ isEdited }) => isEdited);
    const relations = known ? known.get(list.instance) : relationsFrom(list, first);
    const related = relations?.of.find(({ place }) => place === first);
    if (!relations || !related) continue;
    const isEdited = (place: number) => list.candidates[place]?.isEdited ?? true;
    const places = Array.from({ length: relations.chunks }, (_, place) => place);
    const others = places.filter((place) => place !== first && isEdited(place));
    const rest = places.filter((place) => place < COMPARED && !isEdited(place));
    if (others.length === 0 || rest.length === 0) continue;
    issues++;
    addShares(edited, related, others);
    addShares(unedited, related, rest);
  }
  const rows = [...KINDS, 'any of these', 'none'].map((kind) => [
    TITLES[kind] ?? kind,
    mean(edited.get(kind) ?? [0]).toFixed(3),
    mean(unedited.get(kind) ?? [0]).toFixed(3),
  ]);
  console.log(`${issues} issues\n`);
  const head = ['to the first that is found', 'edited', 'not edited'];
  console.log(markdownTable(head, rows).join('\n'));
}

/** How often the three that changed most with the first are edited, by the least share of its changes that counts. */
function printChanged(known: Map<string, Relations>): void {
  const kind = KINDS.indexOf('changedWith');
  const rows = [0, 0.05, 0.1].map((least) => {
    const shown = several.flatMap(({ instance, candidates }) => {
      const first = candidates.findIndex(({ isEdited }) => isEdited);
      const pairs = known.get(instance)?.of.find(({ place }) => place === first)?.pairs ?? [];
      const strongest = pairs
        .filter(([, of, share]) => of === kind && share >= least)
        .sort((a, b) => b[2] - a[2])
        .slice(0, 3);
      return strongest.map(([place]) => Number(candidates[place]?.isEdited ?? true));
    });
    return [String(least), String(shown.length), mean(shown).toFixed(2)];
  });
  const head = ['least share', 'changed most with the first', 'of these edited'];
  console.log(`\n${markdownTable(head, rows).join('\n')}`);
}

function relationsFrom(list: List, first: number): Relations | undefined {
  if (first < 0 || first >= LISTED) return undefined;
  const listed = list.candidates.slice(0, LISTED);
  return listedRelations({ ...list, candidates: listed }, [first]);
}

function addShares(to: Map<string, number[]>, { pairs }: Related, places: readonly number[]): void {
  const has = (place: number, kind?: number) =>
    pairs.some((pair) => pair[0] === place && (kind === undefined || pair[1] === kind));
  const add = (name: string, holds: (place: number) => boolean) => {
    const shares = to.get(name) ?? [];
    shares.push(places.filter(holds).length / places.length);
    to.set(name, shares);
  };
  for (const [kind, name] of KINDS.entries()) add(name, (place) => has(place, kind));
  add('any of these', (place) => has(place));
  add('none', (place) => !has(place));
}

function ranksOf({ candidates }: List): number[] {
  return candidates.flatMap(({ isEdited }, place) => (isEdited ? [place + 1] : []));
}

function relationsIn(folder: string): Map<string, Relations> {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  const all = lines.flatMap((line): Relations[] => (line ? [JSON.parse(line)] : []));
  return new Map(all.map((relations) => [relations.instance, relations]));
}
