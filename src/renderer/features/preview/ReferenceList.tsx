import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import type { Reference } from '../../../shared/call-graph.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import { getShownName } from '../../../shared/shown-name.ts';
import { IconButton, SourceText, Spinner } from '../../ui/controls.tsx';
import { EDGE_WORDS, KIND_ICONS } from '../../ui/kinds.ts';
import { splitName } from '../../ui/names.ts';
import rows from '../../ui/rows.module.css';
import { getAdjacent, resolveStep } from '../../ui/steps.ts';
import styles from './references.module.css';
import {
  closeReferences,
  goToSite,
  type ListedSite,
  listSites,
  useLoadReferences,
  useReferences,
} from './references.ts';

/** Lists the references to a function below the code, grouped by caller. */
export function ReferenceList() {
  useLoadReferences();
  const { to, found, failure } = useReferences();
  if (to === null) return null;
  const sites = found ? listSites(found) : [];
  return (
    <section
      className={styles.references}
      aria-label="References"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        closeReferences();
      }}
    >
      <header className={styles.header}>
        <div role="status" className="grow ellipsis muted">
          {failure ? (
            <>
              <SourceText text={failure.message} /> <SourceText text={failure.remedy} />
            </>
          ) : !found ? (
            <>
              <Spinner /> Finding references
            </>
          ) : (
            <>
              {sites.length > 0 ? formatCounted(sites.length, 'reference') : 'No references'} to{' '}
              <SourceText className={styles.to} text={getShownName(found.to)} />
              {found.hidden > 0 && ` · ${formatCounted(found.hidden, 'caller')} more`}
            </>
          )}
        </div>
        <IconButton label="Close references" keys={['Esc']} onClick={closeReferences}>
          <X size={14} />
        </IconButton>
      </header>
      {found && sites.length > 0 && <Sites references={found.references} sites={sites} />}
    </section>
  );
}

interface SitesProps {
  references: readonly Reference[];
  sites: readonly ListedSite[];
}

function Sites({ references, sites }: SitesProps) {
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = Math.min(
    useReferences((state) => state.active),
    sites.length - 1,
  );
  // The list gets the focus, since the user asked for it.
  useEffect(() => list.current?.focus(), []);
  const go = (at: number) => {
    useReferences.setState({ active: at });
    const site = sites[at];
    if (site) goToSite(site);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = resolveStep(event.key, getAdjacent(active), sites.length, 10);
    if (next !== null) {
      useReferences.setState({ active: next });
      document.getElementById(`${prefix}${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' || event.key === ' ') go(active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  let at = -1;
  return (
    <div
      ref={list}
      className={styles.list}
      role="listbox"
      tabIndex={0}
      aria-label="Referring lines"
      aria-activedescendant={prefix + active}
      onKeyDown={onKeyDown}
    >
      {references.map((reference, group) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box cannot contain a fieldset
        <div
          key={`${reference.caller.address} ${reference.kind}`}
          role="group"
          aria-labelledby={`${prefix}g${group}`}
        >
          <Caller id={`${prefix}g${group}`} reference={reference} />
          {reference.sites.map((site) => {
            at++;
            const here = at;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and the keys
              <div
                key={`${site.line}:${site.column}`}
                id={prefix + here}
                tabIndex={-1}
                role="option"
                aria-selected={here === active}
                className={styles.site}
                onClick={() => go(here)}
              >
                <span className={styles.line}>{site.line}</span>
                <SourceText className={styles.code} text={site.text} />
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function Caller({ id, reference }: { id: string; reference: Reference }) {
  const { caller, kind, guess } = reference;
  const Icon = KIND_ICONS[caller.kind];
  return (
    <div id={id} className={styles.caller}>
      <Icon size={13} aria-hidden="true" />
      <SourceText className={styles.name} text={splitName(caller).join('')} />
      {kind !== 'call' && <span className={rows.tag}>{EDGE_WORDS[kind]}</span>}
      {guess && <span className={rows.guessTag}>guessed by name</span>}
      <SourceText className={rows.path} text={caller.path} />
    </div>
  );
}
