import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { graphShown, nextOf, STEP } from '../../src/renderer/features/neighbors/graph.ts';
import { boxesOf, weightOf } from '../../src/renderer/features/neighbors/layout.ts';
import { rowsOf } from '../../src/renderer/features/neighbors/tree.ts';
import { walk } from '../../src/renderer/features/neighbors/walk.ts';
import { call, neighborhood } from './support.ts';

const NO_RANKS = new Map<string, number>();
const C = 'a.py::center';

/** `count` callees of the centre, in the order of their names. */
function callees(count: number) {
  const names = Array.from({ length: count }, (_, at) => `b.py::f${String(at).padStart(3, '0')}`);
  const distances = Object.fromEntries([[C, 0], ...names.map((name) => [name, 1])]);
  return neighborhood(
    distances,
    names.map((name) => call(C, name)),
  );
}

describe('neighbours one step farther', () => {
  it('are the ranked ones first, then by name, tests last', () => {
    const around = neighborhood({ [C]: 0, 'z.py::f': 1, 'b.py::f': 1, 't.py::f': 1 }, [
      call(C, 't.py::f'),
      call(C, 'z.py::f'),
      call(C, 'b.py::f'),
    ]);
    const nodes = around.nodes.map((node) =>
      node.path === 't.py' ? { ...node, role: 'test' as const } : node,
    );
    const next = nextOf({ ...around, nodes }, 'callees', new Map([['z.py::f', 9]]));
    assert.deepEqual(
      next.get(C)?.map(({ path }) => path),
      ['z.py', 'b.py', 't.py'],
    );
  });

  it('are those of the asked side alone; edges to unknown chunks say nothing', () => {
    const around = neighborhood({ [C]: 0, 'b.py::f': 1, 'd.py::f': -1 }, [
      call(C, 'b.py::f'),
      call('d.py::f', C),
      call(C, 'gone.py::f'),
      call('b.py::f', 'd.py::f'),
    ]);
    const sides = (['callers', 'callees'] as const).map((side) =>
      [...nextOf(around, side, NO_RANKS)].map(
        ([from, to]) => `${from} > ${to.map(({ address }) => address)}`,
      ),
    );
    assert.deepEqual(sides, [[`${C} > d.py::f`], [`${C} > b.py::f`]]);
  });
});

describe('what is drawn of a neighbourhood', () => {
  it('is the best ten of a node, with a count of the others that can be opened', () => {
    const { nodes, more } = graphShown(callees(30), NO_RANKS, {});
    assert.equal(nodes.length, 11);
    assert.deepEqual(more, [
      {
        group: `callees ${C}`,
        id: 'n0-callees',
        parent: 'n0',
        distance: 1,
        count: 20,
        opens: 'here',
      },
    ]);
  });

  it('is more of them once a count was opened, and a single one instead of a count of one', () => {
    const opened = { [`callees ${C}`]: STEP };
    assert.equal(graphShown(callees(36), NO_RANKS, opened).nodes.length, 37);
    assert.deepEqual(graphShown(callees(36), NO_RANKS, opened).more, []);
  });

  it('leaves what is past fifty to the list', () => {
    const { nodes, more } = graphShown(callees(90), NO_RANKS, { [`callees ${C}`]: 100 });
    assert.equal(nodes.length, 51);
    assert.deepEqual(
      more.map(({ count, opens }) => [count, opens]),
      [[40, 'list']],
    );
  });

  it('has each chunk once, on the way on which it was met first, and all links among those', () => {
    const around = neighborhood({ [C]: 0, 'b.py::x': 1, 'b.py::y': 1, 'b.py::z': 2 }, [
      call(C, 'b.py::x'),
      call(C, 'b.py::x', { kind: 'inherit', guess: true }),
      call(C, 'b.py::y'),
      call(C, C),
      call('b.py::x', 'b.py::z', { guess: true }),
      call('b.py::y', 'b.py::z'),
      call('b.py::z', C),
    ]);
    const { nodes, links } = graphShown(around, new Map([['b.py::y', 4]]), {});
    const of = (address: string) => nodes.find((node) => node.address === address);
    assert.equal(nodes.length, 4);
    assert.equal(of(C)?.recursive, true);
    assert.equal(of('b.py::y')?.rank, 4);
    assert.equal(of('b.py::z')?.parent, of('b.py::y')?.id);
    const link = (from: string, to: string) =>
      links.find(({ source, target }) => source === of(from)?.id && target === of(to)?.id);
    assert.equal(links.length, 5);
    assert.deepEqual(
      [link(C, 'b.py::x')?.kind, link(C, 'b.py::x')?.guess, link(C, 'b.py::x')?.edges.length],
      ['inherit', false, 2],
    );
    assert.equal(link('b.py::x', 'b.py::z')?.guess, true);
    assert.equal(link('b.py::z', C)?.adjacent, false);
  });

  it('counts what the engine left out, on the fuller side of the centre', () => {
    const around = neighborhood(
      { [C]: 0, 'b.py::f': -1, 'b.py::g': 1, 'b.py::h': 1 },
      [call('b.py::f', C), call(C, 'b.py::g'), call(C, 'b.py::h')],
      { [C]: 7, 'b.py::f': 2 },
    );
    assert.deepEqual(
      graphShown(around, NO_RANKS, {}).more.map(({ parent, distance, count, opens }) => {
        return { parent, distance, count, opens };
      }),
      [
        { parent: 'n1', distance: -2, count: 2, opens: null },
        { parent: 'n0', distance: 1, count: 7, opens: null },
      ],
    );
  });

  it('needs its centre', () => {
    const around = { ...callees(1), center: 'gone.py::f' };
    assert.throws(() => graphShown(around, NO_RANKS, {}), /without its centre/);
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
  const graph = graphShown(around, new Map([['b.py::two', 1]]), {});
  const boxes = boxesOf(graph, 10);
  const idOf = (address: string) => graph.nodes.find((node) => node.address === address)?.id ?? '';
  const boxOf = (address: string) => {
    const box = boxes.get(idOf(address));
    assert.ok(box);
    return box;
  };

  it('has a box for every node and count, none over another', () => {
    assert.equal(boxes.size, graph.nodes.length + graph.more.length);
    const all = [...boxes.values()];
    for (const a of all) {
      for (const b of all) {
        if (a === b) continue;
        const apart =
          a.x + a.width <= b.x ||
          b.x + b.width <= a.x ||
          a.y + a.height <= b.y ||
          b.y + b.height <= a.y;
        assert.ok(apart, JSON.stringify([a, b]));
      }
    }
  });

  it('has callers on the left, callees on the right, the best above', () => {
    assert.ok(boxOf('b.py::in').x < boxOf(C).x);
    assert.ok(boxOf(C).x < boxOf('b.py::one').x);
    assert.ok(boxOf('b.py::one').x < boxOf('b.py::far').x);
    assert.ok(boxOf('b.py::two').y < boxOf('b.py::one').y);
  });

  it('is as wide as the name, of which the owner gives way', () => {
    const widthOf = (name: string) => {
      const lonely = graphShown(
        neighborhood({ [C]: 0, [`b.py::${name}`]: 1 }, [call(C, `b.py::${name}`)]),
        new Map(),
        {},
      );
      const id = lonely.nodes.find(({ distance }) => distance === 1)?.id ?? '';
      return boxesOf(lonely, 10).get(id)?.width ?? 0;
    };
    assert.ok(widthOf('get_redirect_target') > widthOf('get_target'));
    assert.equal(
      widthOf('OneOwner.get_redirect_target'),
      widthOf('LongerOwner.get_redirect_target'),
    );
    assert.ok(widthOf('x'.repeat(500)) <= 240);
    assert.ok(widthOf('f') >= 80);
  });

  it('grows with the font', () => {
    const larger = boxesOf(graph, 20).get('n0');
    assert.equal(larger?.width, 2 * boxOf(C).width);
  });

  it('gives the first ranks more room', () => {
    assert.deepEqual([1, 5, 6, 20, 21, null].map(weightOf), [
      'top',
      'top',
      'high',
      'high',
      'found',
      'other',
    ]);
  });

  it('is walked with the arrow keys: along the edges, and up and down a column', () => {
    const go = (from: string, key: string) => walk(graph, boxes, from, key);
    assert.equal(go(idOf(C), 'ArrowLeft'), idOf('b.py::in'));
    assert.equal(go(idOf('b.py::in'), 'ArrowRight'), idOf(C));
    assert.equal(go(idOf('b.py::two'), 'ArrowDown'), idOf('b.py::one'));
    assert.equal(go(idOf('b.py::one'), 'ArrowUp'), idOf('b.py::two'));
    assert.equal(go(idOf('b.py::one'), 'ArrowRight'), idOf('b.py::far'));
    assert.equal(go(idOf('b.py::two'), 'ArrowRight'), idOf('b.py::two'));
    assert.equal(go('nowhere', 'ArrowRight'), 'nowhere');
  });
});

describe('the neighbours as a tree', () => {
  const show = (
    around: ReturnType<typeof neighborhood>,
    toggled: string[] = [],
    pages: Record<string, number> = {},
  ) =>
    rowsOf(around, NO_RANKS, new Set(toggled), pages).map(({ level, at, of, content, open }) => {
      const what =
        content.type === 'side'
          ? `${content.side} ${content.count}`
          : content.type === 'more'
            ? `${content.count} more`
            : content.chunk.name;
      return `${level} ${what} ${at}/${of}${open === null ? '' : open ? ' open' : ' closed'}`;
    });
  const around = neighborhood({ [C]: 0, 'b.py::x': 1, 'b.py::z': 2 }, [
    call(C, 'b.py::x'),
    call('b.py::x', 'b.py::z'),
  ]);

  it('has both sides, and what is below them opens', () => {
    assert.deepEqual(show(around), ['1 callers 0 1/2', '1 callees 1 2/2 open', '2 x 1/1 closed']);
    assert.deepEqual(show(around, ['callees\nb.py::x']), [
      '1 callers 0 1/2',
      '1 callees 1 2/2 open',
      '2 x 1/1 open',
      '3 z 1/1',
    ]);
    assert.deepEqual(show(around, ['callees']), ['1 callers 0 1/2', '1 callees 1 2/2 closed']);
  });

  it('lists fifty of a node, and fifty more with every page', () => {
    assert.equal(show(callees(70)).at(-1), '2 20 more 51/51');
    assert.equal(show(callees(70)).length, 2 + 51);
    assert.equal(show(callees(70), [], { callees: 2 }).length, 2 + 70);
  });
});
