import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildGraph,
  EXPAND_STEP,
  groupFartherNeighbors,
} from '../../src/renderer/features/neighbors/graph.ts';
import {
  countRows,
  getRankWeight,
  layOutGraph,
  placeView,
} from '../../src/renderer/features/neighbors/layout.ts';
import { findNextNode } from '../../src/renderer/features/neighbors/next-node.ts';
import { listTreeRows } from '../../src/renderer/features/neighbors/tree.ts';
import { call, neighborhood } from './support.ts';

const NO_RANKS = new Map<string, number>();
const C = 'a.py::center';
/** Room of a column. */
const ROWS = 10;

/** Returns a neighborhood with `count` callees of the center, sorted by name. */
function callees(count: number) {
  const names = Array.from({ length: count }, (_, at) => `b.py::f${String(at).padStart(3, '0')}`);
  const distances = Object.fromEntries([[C, 0], ...names.map((name) => [name, 1])]);
  return neighborhood(
    distances,
    names.map((name) => call(C, name)),
  );
}

describe('neighbors one step farther', () => {
  it('are sorted by rank, then by name, with tests last', () => {
    const around = neighborhood({ [C]: 0, 'z.py::f': 1, 'b.py::f': 1, 't.py::f': 1 }, [
      call(C, 't.py::f'),
      call(C, 'z.py::f'),
      call(C, 'b.py::f'),
    ]);
    const nodes = around.nodes.map((node) =>
      node.path === 't.py' ? { ...node, role: 'test' as const } : node,
    );
    const next = groupFartherNeighbors({ ...around, nodes }, 'callees', new Map([['z.py::f', 9]]));
    assert.deepEqual(
      next.get(C)?.map(({ path }) => path),
      ['z.py', 'b.py', 't.py'],
    );
  });

  it('are those of the given side; edges to unknown chunks are ignored', () => {
    const around = neighborhood({ [C]: 0, 'b.py::f': 1, 'd.py::f': -1 }, [
      call(C, 'b.py::f'),
      call('d.py::f', C),
      call(C, 'gone.py::f'),
      call('b.py::f', 'd.py::f'),
    ]);
    const sides = (['callers', 'callees'] as const).map((side) =>
      [...groupFartherNeighbors(around, side, NO_RANKS)].map(
        ([from, to]) => `${from} > ${to.map(({ address }) => address)}`,
      ),
    );
    assert.deepEqual(sides, [[`${C} > d.py::f`], [`${C} > b.py::f`]]);
  });
});

describe('the drawn graph', () => {
  it('contains as many neighbors as a column has room for, the best first, and a count of the others', () => {
    const { nodes, more } = buildGraph(callees(30), new Map([['b.py::f029', 4]]), {}, ROWS);
    assert.equal(nodes.length, ROWS);
    assert.equal(nodes[1]?.address, 'b.py::f029');
    assert.deepEqual(more, [
      {
        group: 'callees 1',
        id: 'callees-1',
        parents: ['n0'],
        distance: 1,
        count: 21,
        opens: 'here',
      },
    ]);
  });

  it('contains more of them when a count is expanded, and no count if all fit', () => {
    const expanded = { 'callees 1': EXPAND_STEP };
    assert.equal(buildGraph(callees(35), NO_RANKS, expanded, ROWS).nodes.length, 36);
    assert.deepEqual(buildGraph(callees(35), NO_RANKS, expanded, ROWS).more, []);
  });

  it('leaves more than fifty neighbors to the list', () => {
    const { nodes, more } = buildGraph(callees(90), NO_RANKS, { 'callees 1': 100 }, ROWS);
    assert.equal(nodes.length, 50);
    assert.deepEqual(
      more.map(({ count, opens }) => [count, opens]),
      [[41, 'list']],
    );
  });

  it('gives each node of a column its best neighbor before any its second', () => {
    const near = ['b.py::x', 'b.py::y'];
    const far = near.flatMap((name) => Array.from({ length: 9 }, (_, at) => `${name}${at}`));
    const around = neighborhood(
      Object.fromEntries([
        [C, 0],
        ...near.map((name) => [name, 1]),
        ...far.map((name) => [name, 2]),
      ]),
      [
        ...near.map((name) => call(C, name)),
        ...far.map((name) => call(name.replace(/\d$/, ''), name)),
      ],
    );
    const { nodes, more } = buildGraph(around, NO_RANKS, {}, 5);
    assert.deepEqual(
      nodes.filter(({ distance }) => distance === 2).map(({ name }) => name),
      ['x0', 'y0', 'x1', 'y1'],
    );
    assert.deepEqual(
      more.map(({ count, parents }) => [count, parents.length]),
      [[14, 2]],
    );
  });

  it('contains each chunk once, below its first parent, and all links between chunks', () => {
    const around = neighborhood({ [C]: 0, 'b.py::x': 1, 'b.py::y': 1, 'b.py::z': 2 }, [
      call(C, 'b.py::x'),
      call(C, 'b.py::x', { kind: 'inherit', guess: true }),
      call(C, 'b.py::y'),
      call(C, C),
      call('b.py::x', 'b.py::z', { guess: true }),
      call('b.py::y', 'b.py::z'),
      call('b.py::z', C),
    ]);
    const { nodes, links } = buildGraph(around, new Map([['b.py::y', 4]]), {}, ROWS);
    const getNode = (address: string) => nodes.find((node) => node.address === address);
    assert.equal(nodes.length, 4);
    assert.equal(getNode(C)?.recursive, true);
    assert.equal(getNode('b.py::y')?.rank, 4);
    assert.equal(getNode('b.py::z')?.parent, getNode('b.py::y')?.id);
    const link = (from: string, to: string) =>
      links.find(
        ({ source, target }) => source === getNode(from)?.id && target === getNode(to)?.id,
      );
    assert.equal(links.length, 5);
    assert.deepEqual(
      [link(C, 'b.py::x')?.kind, link(C, 'b.py::x')?.guess, link(C, 'b.py::x')?.edges.length],
      ['inherit', false, 2],
    );
    assert.equal(link('b.py::x', 'b.py::z')?.guess, true);
    assert.equal(link('b.py::z', C)?.adjacent, false);
  });

  it('counts chunks that the engine left out, on the larger side of the center', () => {
    const around = neighborhood(
      { [C]: 0, 'b.py::f': -1, 'b.py::g': 1, 'b.py::h': 1 },
      [call('b.py::f', C), call(C, 'b.py::g'), call(C, 'b.py::h')],
      { [C]: 7, 'b.py::f': 2 },
    );
    assert.deepEqual(
      buildGraph(around, NO_RANKS, {}, ROWS).more.map(({ parents, distance, count, opens }) => {
        return { parents, distance, count, opens };
      }),
      [
        { parents: ['n1'], distance: -2, count: 2, opens: null },
        { parents: ['n0'], distance: 1, count: 7, opens: null },
      ],
    );
  });

  it('needs the center', () => {
    const around = { ...callees(1), center: 'gone.py::f' };
    assert.throws(() => buildGraph(around, NO_RANKS, {}, ROWS), /does not contain its center/);
  });
});

describe('the layout', () => {
  const around = neighborhood(
    { [C]: 0, 'b.py::in': -1, 'b.py::one': 1, 'b.py::two': 1, 'b.py::far': 2 },
    [
      call('b.py::in', C),
      call(C, 'b.py::one'),
      call(C, 'b.py::two'),
      call('b.py::one', 'b.py::far'),
    ],
    { 'b.py::far': 3 },
  );
  const graph = buildGraph(around, new Map([['b.py::two', 1]]), {}, ROWS);
  const boxes = layOutGraph(graph, 10, 1000);
  const getId = (address: string) => graph.nodes.find((node) => node.address === address)?.id ?? '';
  const getBox = (address: string) => {
    const box = boxes.get(getId(address));
    assert.ok(box);
    return box;
  };

  it('has a box for every node and count, without overlap', () => {
    assert.equal(boxes.size, graph.nodes.length + graph.more.length);
    const all = [...boxes.values()];
    for (const a of all) {
      for (const b of all) {
        if (a === b) continue;
        const areApart =
          a.x + a.width <= b.x ||
          b.x + b.width <= a.x ||
          a.y + a.height <= b.y ||
          b.y + b.height <= a.y;
        assert.ok(areApart, JSON.stringify([a, b]));
      }
    }
  });

  it('has callers on the left, callees on the right, and the best on top', () => {
    assert.ok(getBox('b.py::in').x < getBox(C).x);
    assert.ok(getBox(C).x < getBox('b.py::one').x);
    assert.ok(getBox('b.py::one').x < getBox('b.py::far').x);
    assert.ok(getBox('b.py::two').y < getBox('b.py::one').y);
  });

  it('has nodes as wide as their names, with long owners shortened', () => {
    const getWidth = (name: string) => {
      const single = buildGraph(
        neighborhood({ [C]: 0, [`b.py::${name}`]: 1 }, [call(C, `b.py::${name}`)]),
        new Map(),
        {},
        ROWS,
      );
      const id = single.nodes.find(({ distance }) => distance === 1)?.id ?? '';
      return layOutGraph(single, 10, 1000).get(id)?.width ?? 0;
    };
    assert.ok(getWidth('get_redirect_target') > getWidth('get_target'));
    assert.equal(
      getWidth('OneOwner.get_redirect_target'),
      getWidth('LongerOwner.get_redirect_target'),
    );
    assert.ok(getWidth('x'.repeat(500)) <= 200);
    assert.ok(getWidth('f') >= 80);
  });

  it('is no taller than its fullest column, and fits the pane that the rows were counted for', () => {
    const height = 600;
    const rows = countRows(height, 13);
    const { nodes, more } = buildGraph(callees(90), NO_RANKS, {}, rows);
    const all = [...layOutGraph({ nodes, more }, 13, 1000).values()];
    const top = Math.min(...all.map((box) => box.y));
    const bottom = Math.max(...all.map((box) => box.y + box.height));
    assert.ok(bottom - top <= height && bottom - top > height / 2, `${bottom - top}`);
    const [center] = all;
    assert.ok(Math.abs((top + bottom) / 2 - (center?.y ?? 0) - (center?.height ?? 0) / 2) < 1);
  });

  it('has columns so narrow that one step around the center fits the pane', () => {
    const [one, two] = ['o', 't'].map((letter) => `b.py::${letter.repeat(90)}`) as [string, string];
    const long = neighborhood({ [C]: 0, [one]: -1, [two]: 1 }, [call(one, C), call(C, two)]);
    const paneWidth = 500;
    const all = [...layOutGraph(buildGraph(long, NO_RANKS, {}, ROWS), 13, paneWidth).values()];
    assert.ok(Math.max(...all.map((box) => box.x + box.width)) <= paneWidth - 32);
  });

  it('is shown whole if it fits, otherwise around the center without empty space beyond it', () => {
    const all = [...boxes.values()];
    const right = Math.max(...all.map((box) => box.x + box.width));
    const wide = placeView(boxes, { width: 2000, height: 2000 });
    assert.equal(wide.x, (2000 - right) / 2);
    const narrow = placeView(boxes, { width: getBox(C).width + 40, height: 2000 });
    assert.equal(narrow.x + getBox(C).x, 20);
    const atEnd = placeView(boxes, { width: right, height: 2000 });
    assert.ok(Math.abs(atEnd.x) <= 16, `${atEnd.x}`);
  });

  it('grows with the font', () => {
    const larger = layOutGraph(graph, 20, 2000).get('n0');
    assert.equal(larger?.width, 2 * getBox(C).width);
  });

  it('gives top ranks more room', () => {
    assert.deepEqual([1, 5, 6, 20, 21, null].map(getRankWeight), [
      'top',
      'top',
      'high',
      'high',
      'low',
      'none',
    ]);
  });

  it('is navigated with arrow keys: along edges, and up and down a column', () => {
    const go = (from: string, key: string) => findNextNode(graph, boxes, from, key);
    assert.equal(go(getId(C), 'ArrowLeft'), getId('b.py::in'));
    assert.equal(go(getId('b.py::in'), 'ArrowRight'), getId(C));
    assert.equal(go(getId('b.py::two'), 'ArrowDown'), getId('b.py::one'));
    assert.equal(go(getId('b.py::one'), 'ArrowUp'), getId('b.py::two'));
    assert.equal(go(getId('b.py::one'), 'ArrowRight'), getId('b.py::far'));
    assert.equal(go(getId('b.py::two'), 'ArrowRight'), getId('b.py::two'));
    assert.equal(go('nowhere', 'ArrowRight'), 'nowhere');
  });
});

describe('the tree of neighbors', () => {
  const listRows = (
    around: ReturnType<typeof neighborhood>,
    toggled: string[] = [],
    pages: Record<string, number> = {},
  ) =>
    listTreeRows(around, NO_RANKS, new Set(toggled), pages).map(
      ({ level, position, siblings, content, open }) => {
        const what =
          content.type === 'side'
            ? `${content.side} ${content.count}`
            : content.type === 'more'
              ? `${content.count} more`
              : content.chunk.name;
        return `${level} ${what} ${position}/${siblings}${open === null ? '' : open ? ' open' : ' closed'}`;
      },
    );
  const around = neighborhood({ [C]: 0, 'b.py::x': 1, 'b.py::z': 2 }, [
    call(C, 'b.py::x'),
    call('b.py::x', 'b.py::z'),
  ]);

  it('has both sides, which can be expanded', () => {
    assert.deepEqual(listRows(around), [
      '1 callers 0 1/2',
      '1 callees 1 2/2 open',
      '2 x 1/1 closed',
    ]);
    assert.deepEqual(listRows(around, ['callees\nb.py::x']), [
      '1 callers 0 1/2',
      '1 callees 1 2/2 open',
      '2 x 1/1 open',
      '3 z 1/1',
    ]);
    assert.deepEqual(listRows(around, ['callees']), ['1 callers 0 1/2', '1 callees 1 2/2 closed']);
  });

  it('lists fifty neighbors of a chunk, and fifty more with every page', () => {
    assert.equal(listRows(callees(70)).at(-1), '2 20 more 51/51');
    assert.equal(listRows(callees(70)).length, 2 + 51);
    assert.equal(listRows(callees(70), [], { callees: 2 }).length, 2 + 70);
  });
});
