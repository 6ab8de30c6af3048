import { Source } from '../../ui/controls.tsx';
import { EDGE_WORDS } from '../../ui/kinds.ts';
import { revealLine } from '../preview/index.ts';
import type { GraphShown } from './graph.ts';
import styles from './neighbors.module.css';

const SITES = 6;

/** What the node that is looked at has to do with the one it hangs on, and in which lines. */
export function Relation({ graph, id }: { graph: GraphShown; id: string }) {
  const node = graph.nodes.find((other) => other.id === id);
  const parent = graph.nodes.find((other) => other.id === node?.parent);
  const link = graph.links.find(
    ({ source, target }) =>
      (source === id && target === parent?.id) || (target === id && source === parent?.id),
  );
  if (!node) return <p className={styles.relation}>Enter shows them</p>;
  if (!parent || !link) {
    return (
      <p className={styles.relation}>
        <Source className={styles.strong} text={node.qualifiedName} />
        <span>Arrow keys walk, Space selects, Enter puts in the middle</span>
      </p>
    );
  }
  const [caller, callee] = link.source === id ? [node, parent] : [parent, node];
  const sites = link.edges.flatMap((edge) => edge.sites);
  return (
    <p className={styles.relation}>
      <Source className={styles.strong} text={caller.qualifiedName} />
      <span>{EDGE_WORDS[link.kind]}</span>
      <Source className={styles.strong} text={callee.qualifiedName} />
      {sites.length > 0 && <span>in {sites.length === 1 ? 'line' : 'lines'}</span>}
      {sites.slice(0, SITES).map(({ line, column }) => (
        <button
          key={`${line}:${column}`}
          type="button"
          className={styles.site}
          onClick={() => revealLine(caller.address, line, column)}
        >
          {line}
        </button>
      ))}
      {sites.length > SITES && <span>and {sites.length - SITES} more</span>}
      {link.guess && <span className={styles.guessed}>a guess, by its name</span>}
    </p>
  );
}
