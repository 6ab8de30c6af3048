import {
  BaseEdge,
  EdgeLabelRenderer,
  type EdgeProps,
  type Edge as FlowEdge,
  type Node as FlowNode,
  getBezierPath,
  Handle,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { formatCounted } from '../../../shared/format-count.ts';
import '@xyflow/react/dist/base.css';
import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, memo, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { EdgeKind, Neighborhood } from '../../../shared/call-graph.ts';
import { focusPane } from '../../platform/panes.ts';
import { IconButton } from '../../ui/controls.tsx';
import { getRemInPixels, wantsMotion } from '../../ui/theme.ts';
import { useSelected } from '../search/index.ts';
import { ChunkLocation, ChunkName, describeKind } from './ChunkName.tsx';
import { EdgeDescription } from './EdgeDescription.tsx';
import {
  buildGraph,
  EXPAND_STEP,
  type GraphLink,
  type GraphNode,
  type HiddenNeighbors,
  type NeighborGraphData,
  type RankByAddress,
} from './graph.ts';
import { Arrowheads, Legend } from './Legend.tsx';
import { countRows, getRankWeight, type LayoutBox, layOutGraph, placeView } from './layout.ts';
import styles from './neighbors.module.css';
import { centerOn, expandGroup, selectNeighbor, showList, useNeighbors } from './neighbors.ts';
import { findNextNode } from './next-node.ts';

type ChunkNode = FlowNode<{ node: GraphNode }, 'chunk'>;
type MoreNode = FlowNode<{ more: HiddenNeighbors }, 'more'>;
type LinkEdge = FlowEdge<{ link: GraphLink; near: boolean }, 'link'>;

interface Props {
  neighborhood: Neighborhood;
  rankOf: RankByAddress;
  /** Key of the view. The view returns to the center when it changes: with another center, not with the index. */
  frame: string;
}

export default function NeighborGraph(props: Props) {
  return (
    <ReactFlowProvider>
      <Graph {...props} />
    </ReactFlowProvider>
  );
}

const NODE_TYPES = { chunk: memo(ChunkView), more: memo(MoreView) };
const EDGE_TYPES = { link: memo(LinkView) };
const PRO_OPTIONS = { hideAttribution: true };
/** Zoom below which only names are shown, in a larger size. The graph starts at 1, where all texts are readable. */
const MIN_READABLE_ZOOM = 0.62;

function Graph({ neighborhood, rankOf, frame }: Props) {
  const expanded = useNeighbors((state) => state.expanded);
  const rem = useFontSize();
  const rows = useStore(({ height }) => countRows(height, rem));
  const graph = useMemo(
    () => buildGraph(neighborhood, rankOf, expanded, rows),
    [neighborhood, rankOf, expanded, rows],
  );
  const width = useStore((state) => state.width);
  const boxes = useMemo(() => layOutGraph(graph, rem, width), [graph, rem, width]);
  const prefix = useId();
  const [active, setActive] = useState('n0');
  const [hovered, setHovered] = useState<string | null>(null);
  const current = boxes.has(active) ? active : 'n0';
  const nodes = useNodes(graph, boxes, prefix, current);
  // A count that was expanded is no longer there.
  const pointed = hovered !== null && boxes.has(hovered) ? hovered : current;
  const edges = useEdges(graph, pointed);
  useInitialView(`${frame} ${rem}`, boxes, setActive);
  const flow = useReactFlow();
  const keepInView = useKeepInView(boxes);
  const isFar = useStore((state) => state.transform[2] < MIN_READABLE_ZOOM);

  const activate = (id: string, shouldCenter: boolean) => {
    setActive(id);
    const node = graph.nodes.find((other) => other.id === id);
    const more = graph.more.find((other) => other.id === id);
    if (more) openMore(more);
    else if (node && shouldCenter) centerOn(node.address);
    else if (node) selectNeighbor(node.address);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget)
      return;
    const pan = PANS[event.key];
    if (event.shiftKey && pan) {
      const { x, y, zoom } = flow.getViewport();
      flow.setViewport({ x: x + pan[0], y: y + pan[1], zoom });
    } else if (pan || event.key === 'Home') {
      const next = event.key === 'Home' ? 'n0' : findNextNode(graph, boxes, current, event.key);
      setActive(next);
      keepInView(next);
    } else if (event.key === 'Enter' || event.key === ' ') activate(current, event.key === 'Enter');
    else if (event.key === '+' || event.key === '=') flow.zoomIn();
    else if (event.key === '-') flow.zoomOut();
    else if (event.key === '0') flow.fitView(FIT_OPTIONS);
    else if (event.key === 'Escape') focusPane('results');
    else return;
    event.preventDefault();
  };

  return (
    <div className={`full-column ${styles.graph}`}>
      <Arrowheads />
      <p id={`${prefix}help`} className="visually-hidden">
        Callers are on the left, callees on the right. Arrow keys move along the edges and up and
        down a column. Space selects a function, Enter centers it. Plus and minus zoom, Shift with
        the arrow keys moves the view, and 0 shows everything.
      </p>
      <ReactFlow
        className={`${styles.flow} ${isFar ? styles.far : ''}`}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        proOptions={PRO_OPTIONS}
        minZoom={0.2}
        maxZoom={2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnDoubleClick={false}
        panOnScroll
        zoomOnPinch
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        zoomActivationKeyCode={null}
        onlyRenderVisibleElements={nodes.length > 60}
        onNodeClick={(_, { id }) => activate(id, false)}
        onNodeDoubleClick={(_, { id }) => id.includes('-') || activate(id, true)}
        onNodeMouseEnter={(_, { id }) => setHovered(id)}
        onNodeMouseLeave={() => setHovered(null)}
        tabIndex={0}
        data-pane-focus
        aria-label="Call graph"
        aria-describedby={`${prefix}help`}
        aria-activedescendant={prefix + current}
        onKeyDown={onKeyDown}
      />
      <div className={styles.zoom}>
        <IconButton label="Zoom in" keys={['+']} onClick={() => flow.zoomIn()}>
          <Plus size={15} />
        </IconButton>
        <IconButton label="Zoom out" keys={['-']} onClick={() => flow.zoomOut()}>
          <Minus size={15} />
        </IconButton>
        <IconButton label="Show all" keys={['0']} onClick={() => flow.fitView(FIT_OPTIONS)}>
          <Maximize size={14} />
        </IconButton>
      </div>
      <footer className={styles.footer}>
        <EdgeDescription graph={graph} id={pointed} />
        <Legend graph={graph} />
      </footer>
    </div>
  );
}

const FIT_OPTIONS = { padding: 0.08, maxZoom: 1 };
const PAN_PIXELS = 60;
const PANS: Record<string, [number, number]> = {
  ArrowLeft: [PAN_PIXELS, 0],
  ArrowRight: [-PAN_PIXELS, 0],
  ArrowUp: [0, PAN_PIXELS],
  ArrowDown: [0, -PAN_PIXELS],
};

const openMore = ({ group, opens }: HiddenNeighbors) => {
  if (opens === 'here') expandGroup(group, EXPAND_STEP);
  else if (opens === 'list') showList();
};

/** Returns the root font size in pixels, and updates it when the zoom changes. */
function useFontSize(): number {
  const [size, setSize] = useState(getRemInPixels);
  useEffect(() => {
    const observer = new MutationObserver(() => setSize(getRemInPixels()));
    observer.observe(document.documentElement, { attributeFilter: ['style'] });
    return () => observer.disconnect();
  }, []);
  return size;
}

function useNodes(
  graph: NeighborGraphData,
  boxes: ReadonlyMap<string, LayoutBox>,
  prefix: string,
  active: string,
): (ChunkNode | MoreNode)[] {
  const selected = useSelected();
  const all = useMemo(() => {
    const common = (id: string, className: string | undefined) => {
      const { x = 0, y = 0, width, height } = boxes.get(id) ?? {};
      const domAttributes = { id: prefix + id, 'aria-roledescription': undefined, tabIndex: -1 };
      const ariaRole = 'button' as const;
      return { id, position: { x, y }, width, height, ariaRole, className, domAttributes };
    };
    return [
      ...graph.nodes.map(
        (node): ChunkNode => ({
          type: 'chunk',
          ...common(node.id, getNodeClass(node)),
          data: { node },
        }),
      ),
      ...graph.more.map(
        (more): MoreNode => ({
          type: 'more',
          ...common(more.id, styles.moreNode),
          data: { more },
        }),
      ),
    ];
  }, [graph, boxes, prefix]);
  // Only the active and the selected node get new objects, so that a key press redraws nothing else.
  return useMemo(
    () =>
      all.map((node) => {
        const isSelected = node.type === 'chunk' && node.data.node.address === selected;
        if (node.id !== active && !isSelected) return node;
        const looks = [node.id === active && styles.active, isSelected && styles.selected];
        return { ...node, className: [node.className, ...looks].filter(Boolean).join(' ') };
      }),
    [all, active, selected],
  );
}

/** Returns the description of a node for screen readers. */
function describeNode(node: GraphNode): string {
  const { distance, rank } = node;
  const side = distance === 0 ? 'center' : distance < 0 ? 'caller' : 'callee';
  const steps = Math.abs(distance) > 1 ? ` in ${Math.abs(distance)} steps` : '';
  return `${describeKind(node)}, ${side}${steps}, ${rank === null ? 'not in the list' : `rank ${rank}`},`;
}

function getNodeClass({ rank, role, distance }: GraphNode): string {
  return [
    styles.node,
    styles[getRankWeight(rank)],
    role === 'source' ? '' : styles.notSource,
    distance === 0 ? styles.center : '',
  ].join(' ');
}

function useEdges(graph: NeighborGraphData, near: string): LinkEdge[] {
  const all = useMemo(() => {
    const hidden = { ariaRole: 'presentation' as const, ariaLabel: '', domAttributes: HIDDEN };
    return [
      ...graph.links.map((link): LinkEdge => {
        const { id, source, target } = link;
        return { id, source, target, type: 'link', data: { link, near: false }, ...hidden };
      }),
      ...graph.more.flatMap(({ id, parents, distance }) =>
        parents.map((parent): LinkEdge => {
          const [source, target] = distance < 0 ? [id, parent] : [parent, id];
          const className = styles.moreEdge;
          return { id: `${parent}-${id}`, source, target, className, ...hidden };
        }),
      ),
    ];
  }, [graph]);
  return useMemo(
    () =>
      all.map((edge) => {
        if (!edge.data || (edge.source !== near && edge.target !== near)) return edge;
        return { ...edge, data: { ...edge.data, near: true }, zIndex: 1 };
      }),
    [all, near],
  );
}
const HIDDEN = { 'aria-hidden': true, 'aria-roledescription': undefined } as const;

/** Shows a new graph in its full size: all of it if it fits, otherwise its center. */
function useInitialView(
  frame: string,
  boxes: ReadonlyMap<string, LayoutBox>,
  setActive: (id: string) => void,
): void {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const lastFrame = useRef('');
  useEffect(() => {
    if (lastFrame.current === frame || width === 0) return;
    lastFrame.current = frame;
    setActive('n0');
    flow.setViewport({ ...placeView(boxes, { width, height }), zoom: 1 });
  }, [frame, boxes, width, height, flow, setActive]);
}

/** Returns a function that moves the view by the minimum that shows a node. */
function useKeepInView(boxes: ReadonlyMap<string, LayoutBox>): (id: string) => void {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  return (id) => {
    const box = boxes.get(id);
    if (!box) return;
    const { x, y, zoom } = flow.getViewport();
    const margin = 24;
    const shift = (start: number, size: number, offset: number, room: number): number => {
      const from = start * zoom + offset;
      const to = from + size * zoom;
      return from < margin ? margin - from : to > room - margin ? room - margin - to : 0;
    };
    const dx = shift(box.x, box.width, x, width);
    const dy = shift(box.y, box.height, y, height);
    if (dx === 0 && dy === 0) return;
    flow.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: wantsMotion() ? 120 : 0 });
  };
}

function ChunkView({ data: { node } }: NodeProps<ChunkNode>) {
  return (
    <>
      <Handle type="target" position={Position.Left} className={styles.handle} />
      <span className={styles.nodeName}>
        <ChunkName chunk={node} description={describeNode(node)} />
        {node.recursive && <span title="Calls itself">↻</span>}
      </span>
      <span className={styles.nodeLocation}>
        <ChunkLocation chunk={node} short />
        {node.rank !== null && (
          <span className={styles.badge} aria-hidden="true">
            {node.rank}
          </span>
        )}
      </span>
      <Handle type="source" position={Position.Right} className={styles.handle} />
    </>
  );
}

function MoreView({ data: { more } }: NodeProps<MoreNode>) {
  return (
    <>
      <Handle type="target" position={Position.Left} className={styles.handle} />
      {more.opens === 'here' ? '+' : ''}
      {formatCounted(more.count, 'more', 'more')}
      <span className="visually-hidden"> {more.distance < 0 ? 'callers' : 'callees'}</span>
      {more.opens === 'list' && <span>&nbsp;in the list</span>}
      <Handle type="source" position={Position.Right} className={styles.handle} />
    </>
  );
}

function LinkView({ data, ...edge }: EdgeProps<LinkEdge>) {
  const [path, x, y] = getBezierPath(edge);
  if (!data) return null;
  const { link, near } = data;
  const label = EDGE_LABELS[link.kind];
  return (
    <>
      <BaseEdge
        path={path}
        interactionWidth={0}
        markerEnd={`url(#locus-${link.kind})`}
        className={getEdgeClass(link.kind, link, near)}
      />
      {label && (link.adjacent || near) && (
        <EdgeLabelRenderer>
          <span
            className={styles.edgeLabel}
            style={{ translate: `calc(${x}px - 50%) calc(${y}px - 50%)` }}
          >
            {label}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

function getEdgeClass(kind: EdgeKind, { guess, adjacent }: GraphLink, near: boolean): string {
  return [
    styles.edge,
    styles[kind],
    guess ? styles.guess : '',
    near ? styles.near : '',
    adjacent ? '' : styles.across,
  ].join(' ');
}

/** Label on an edge. Calls have none, because there are too many of them. */
const EDGE_LABELS: Record<EdgeKind, string | null> = {
  call: null,
  construct: 'new',
  decorate: '@',
  inherit: 'is a',
  register: 'registers',
};
