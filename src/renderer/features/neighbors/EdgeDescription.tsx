import { describeKeys } from '../../../shared/registration.ts';
import { getShownName } from '../../../shared/shown-name.ts';
import { SourceText } from '../../ui/controls.tsx';
import { EDGE_WORDS } from '../../ui/kinds.ts';
import { revealLine } from '../preview/index.ts';
import type { NeighborGraphData } from './graph.ts';
import styles from './neighbors.module.css';

const MAX_SITES = 6;

/** Describes the edge between the active node and its parent, with the lines of the calls. */
export function EdgeDescription({ graph, id }: { graph: NeighborGraphData; id: string }) {
  const node = graph.nodes.find((other) => other.id === id);
  const parent = graph.nodes.find((other) => other.id === node?.parent);
  const link = graph.links.find(
    ({ source, target }) =>
      (source === id && target === parent?.id) || (target === id && source === parent?.id),
  );
  if (!node) return <p className={styles.relation}>Press Enter to show them</p>;
  if (!parent || !link) {
    return (
      <p className={styles.relation}>
        <SourceText className={styles.strong} text={getShownName(node)} />
        <span>Arrow keys move, Space selects, Enter centers</span>
      </p>
    );
  }
  const [caller, callee] = link.source === id ? [node, parent] : [parent, node];
  const sites = link.edges.flatMap((edge) => edge.sites);
  const keys = link.edges.flatMap((edge) => edge.registered ?? []);
  return (
    <p className={styles.relation}>
      <SourceText className={styles.strong} text={getShownName(caller)} />
      <span>{EDGE_WORDS[link.kind]}</span>
      <SourceText className={styles.strong} text={getShownName(callee)} />
      {keys.length > 0 && <span>({describeKeys(keys)})</span>}
      {sites.length > 0 && <span>in {sites.length === 1 ? 'line' : 'lines'}</span>}
      {sites.slice(0, MAX_SITES).map(({ line, column }) => (
        <button
          key={`${line}:${column}`}
          type="button"
          className={styles.site}
          onClick={() => revealLine(caller.address, line, column)}
        >
          {line}
        </button>
      ))}
      {sites.length > MAX_SITES && <span>and {sites.length - MAX_SITES} more</span>}
      {link.guess && <span className={styles.guessed}>guessed by name</span>}
    </p>
  );
}
