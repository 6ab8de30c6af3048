/** Where an arrow key leads in the graph. */
import type { GraphShown } from './graph.ts';
import type { Box } from './layout.ts';

/** The id of the node that an arrow key leads to from `from`, or `from` where there is none. */
export function walk(
  graph: GraphShown,
  boxes: ReadonlyMap<string, Box>,
  from: string,
  key: string,
): string {
  const here = boxes.get(from);
  if (!here) return from;
  const middle = ({ y, height }: Box) => y + height / 2;
  const middleOf = (id: string) => middle(boxes.get(id) ?? here);
  const off = (id: string) => Math.abs(middleOf(id) - middle(here));
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const column = columnOf(graph, from).sort((a, b) => middleOf(a) - middleOf(b));
    return column[column.indexOf(from) + (key === 'ArrowDown' ? 1 : -1)] ?? from;
  }
  const toLeft = key === 'ArrowLeft';
  const parent = placed(graph).find(({ id }) => id === from)?.parent;
  const isOn = (id: string) => {
    const { x } = boxes.get(id) ?? here;
    return toLeft ? x < here.x : x > here.x;
  };
  // Towards the middle, the way one came.
  if (parent && isOn(parent)) return parent;
  const linked = [
    ...graph.links.flatMap(({ source, target }) =>
      source === from ? [target] : target === from ? [source] : [],
    ),
    ...graph.more.filter((more) => more.parent === from).map(({ id }) => id),
  ];
  return linked.filter(isOn).sort((a, b) => off(a) - off(b))[0] ?? from;
}

const placed = ({ nodes, more }: GraphShown) => [...nodes, ...more];

function columnOf(graph: GraphShown, id: string): string[] {
  const all = placed(graph);
  const distance = all.find((node) => node.id === id)?.distance;
  return all.filter((node) => node.distance === distance).map((node) => node.id);
}
