/** Moves through the graph with the arrow keys. */
import type { NeighborGraphData } from './graph.ts';
import type { LayoutBox } from './layout.ts';

/** Returns the id of the next node in the direction of an arrow key; `from` if there is none. */
export function findNextNode(
  graph: NeighborGraphData,
  boxes: ReadonlyMap<string, LayoutBox>,
  from: string,
  key: string,
): string {
  const here = boxes.get(from);
  if (!here) return from;
  const getMiddle = (id: string) => {
    const { y, height } = boxes.get(id) ?? here;
    return y + height / 2;
  };
  const getDistance = (id: string) => Math.abs(getMiddle(id) - getMiddle(from));
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const column = listColumn(graph, from).sort((a, b) => getMiddle(a) - getMiddle(b));
    return column[column.indexOf(from) + (key === 'ArrowDown' ? 1 : -1)] ?? from;
  }
  const toLeft = key === 'ArrowLeft';
  const parent =
    graph.nodes.find(({ id }) => id === from)?.parent ??
    graph.more.find(({ id }) => id === from)?.parents.at(-1);
  const isOnSide = (id: string) => {
    const { x } = boxes.get(id) ?? here;
    return toLeft ? x < here.x : x > here.x;
  };
  // Toward the center, go back to the parent.
  if (parent && isOnSide(parent)) return parent;
  const linked = [
    ...graph.links.flatMap(({ source, target }) =>
      source === from ? [target] : target === from ? [source] : [],
    ),
    ...graph.more.filter(({ parents }) => parents.includes(from)).map(({ id }) => id),
  ];
  return linked.filter(isOnSide).sort((a, b) => getDistance(a) - getDistance(b))[0] ?? from;
}

function listColumn({ nodes, more }: NeighborGraphData, id: string): string[] {
  const all = [...nodes, ...more];
  const distance = all.find((node) => node.id === id)?.distance;
  return all.filter((node) => node.distance === distance).map((node) => node.id);
}
