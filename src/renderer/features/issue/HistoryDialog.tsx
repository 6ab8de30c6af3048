import { ArchiveRestore, History, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatCounted } from '../../../shared/format-count.ts';
import type { IssueSummary } from '../../../shared/issues.ts';
import { escapeHidden } from '../../../shared/quote.ts';
import { focusPane } from '../../platform/panes.ts';
import {
  Button,
  Dialog,
  Empty,
  IconButton,
  Keys,
  SourceText,
  Spinner,
} from '../../ui/controls.tsx';
import { formatAgo } from '../../ui/counts.ts';
import { useSearch } from '../search/index.ts';
import {
  deleteIssue,
  keepIssuesCurrent,
  listIssues,
  openIssue,
  pinIssue,
  renameIssue,
  restoreIssue,
  undoDelete,
  useIssueHistory,
} from './history.ts';
import styles from './issue.module.css';

export default function HistoryDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Earlier issues" open={open} onClose={onClose}>
      <Earlier onClose={onClose} />
    </Dialog>
  );
}

function Earlier({ onClose }: { onClose: () => void }) {
  const { query, deleted, issues, undo } = useIssueHistory();
  const list = useRef<HTMLUListElement>(null);
  useEffect(keepIssuesCurrent, []);

  const choose = async (id: string) => {
    onClose();
    await openIssue(id);
    focusPane('issue');
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys for everything inside
    <div style={{ display: 'contents' }} onKeyDown={(event) => moveByKey(event, list.current)}>
      <div className={styles.find}>
        <div className={styles.findRow}>
          <input
            className={styles.input}
            type="search"
            aria-label="Search issues"
            placeholder="Search names and texts…"
            data-autofocus
            value={query}
            onChange={({ target }) => listIssues({ query: target.value })}
            onKeyDown={({ key }) => {
              if (key === 'Enter' && issues?.[0]) choose(issues[0].id);
            }}
          />
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={deleted}
              onChange={({ target }) => listIssues({ deleted: target.checked })}
            />
            Deleted
          </label>
        </div>
      </div>
      {!issues?.length ? (
        <div className={styles.list}>
          {issues ? (
            <Empty icon={<History size={28} />} title={getEmptyTitle(query, deleted)}>
              {!query && !deleted && <p>Every issue that you search for appears here.</p>}
            </Empty>
          ) : (
            <Empty icon={<Spinner />} title="Loading issues…" />
          )}
        </div>
      ) : (
        <ul ref={list} className={styles.list} aria-label="Issues">
          {issues.map((issue, index) => (
            <IssueItem key={issue.id} issue={issue} isFirst={index === 0} onOpen={choose} />
          ))}
        </ul>
      )}
      <div role="status">
        {undo && (
          <div className={styles.undo}>
            <span className="grow ellipsis">
              Deleted “<SourceText text={undo.issue.title} />”
            </span>
            <Button onClick={undoDelete}>Undo</Button>
          </div>
        )}
      </div>
      <div className={styles.keys}>
        <KeyHint keys={['↵']} text="open" />
        <KeyHint keys={['F2']} text="rename" />
        <KeyHint keys={['P']} text="pin" />
        <KeyHint keys={['Del']} text="delete" />
        <KeyHint keys={['Ctrl', 'Z']} text="undo" />
      </div>
    </div>
  );
}

const KeyHint = ({ keys, text }: { keys: string[]; text: string }) => (
  <span>
    <Keys keys={keys} />
    {text}
  </span>
);

function getEmptyTitle(query: string, deleted: boolean): string {
  if (query) return 'No issue contains all of these words';
  return deleted ? 'No issue was deleted in the last 90 days' : 'No issues yet';
}

interface ItemProps {
  issue: IssueSummary;
  isFirst: boolean;
  onOpen: (id: string) => void;
}

function IssueItem({ issue, isFirst, onOpen }: ItemProps) {
  const [isRenaming, setRenaming] = useState(false);
  const isOpen = useSearch((state) => state.issue.id) === issue.id;
  const item = useRef<HTMLLIElement>(null);
  const { id, title, pinned, deletedAt } = issue;
  const finish = async (name: string | null) => {
    setRenaming(false);
    if (name !== null) await renameIssue(id, name);
    item.current?.querySelector('button')?.focus();
  };
  const remove = async () => {
    const next = (
      item.current?.nextElementSibling ?? item.current?.previousElementSibling
    )?.querySelector('button');
    await deleteIssue(issue);
    next?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (deletedAt || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') remove();
    else if (event.key.toLowerCase() === 'p') pinIssue(issue);
    else return;
    event.preventDefault();
  };

  if (isRenaming) {
    return (
      <li className={styles.item}>
        <Rename title={issue.renamed ? title : ''} placeholder={title} onDone={finish} />
      </li>
    );
  }
  return (
    <li ref={item} className={styles.item} data-open={isOpen || undefined}>
      <button
        type="button"
        className={styles.open}
        data-issue
        tabIndex={isFirst ? 0 : -1}
        aria-current={isOpen || undefined}
        onClick={() => onOpen(id)}
        onKeyDown={onKeyDown}
      >
        <span className={styles.title}>
          {pinned && <Pin size={13} aria-label="Pinned" />}
          <SourceText text={title} className="ellipsis" />
        </span>
        <span className={styles.when}>{describe(issue, isOpen)}</span>
      </button>
      {deletedAt ? (
        <IconButton label={`Restore ${title}`} onClick={() => restoreIssue(id)}>
          <ArchiveRestore size={15} />
        </IconButton>
      ) : (
        <>
          <IconButton label={`Rename ${title}`} keys={['F2']} onClick={() => setRenaming(true)}>
            <Pencil size={15} />
          </IconButton>
          <IconButton
            label={`${pinned ? 'Unpin' : 'Pin'} ${title}`}
            keys={['P']}
            onClick={() => pinIssue(issue)}
          >
            {pinned ? <PinOff size={15} /> : <Pin size={15} />}
          </IconButton>
          <IconButton label={`Delete ${title}`} keys={['Del']} onClick={remove}>
            <Trash2 size={15} />
          </IconButton>
        </>
      )}
    </li>
  );
}

interface RenameProps {
  title: string;
  placeholder: string;
  onDone: (name: string | null) => void;
}

/** Input for a new name. Enter saves it; Escape calls `onDone(null)`, which keeps the old name. */
function Rename({ title, placeholder, onDone }: RenameProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  return (
    <input
      ref={input}
      className={styles.input}
      style={{ margin: 'var(--gap-3)' }}
      aria-label="Name of the issue"
      defaultValue={title}
      placeholder={placeholder}
      maxLength={200}
      onBlur={() => onDone(null)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') onDone(event.currentTarget.value);
        else if (event.key === 'Escape') onDone(null);
        else return;
        event.preventDefault();
      }}
    />
  );
}

/** Moves the focus through the list and the search field with the arrow keys, and undoes a deletion with Ctrl+Z. */
function moveByKey(event: KeyboardEvent, list: HTMLElement | null): void {
  const target = event.target as HTMLElement;
  if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey)) {
    if (target.tagName === 'INPUT') return;
    event.preventDefault();
    undoDelete();
    return;
  }
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-issue]') ?? [])];
  const at = rows.indexOf(target);
  const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 };
  if (at >= 0) Object.assign(moves, { Home: 0, End: rows.length - 1 });
  const to = moves[event.key];
  if (to === undefined) return;
  event.preventDefault();
  if (to < 0) event.currentTarget.querySelector<HTMLElement>('input[type=search]')?.focus();
  else rows[Math.min(to, rows.length - 1)]?.focus();
}

function describe(issue: IssueSummary, isOpen: boolean): string {
  const { updatedAt, marks, deletedAt, source } = issue;
  const parts = source ? [escapeHidden(source.label)] : [];
  parts.push(
    deletedAt ? `deleted ${formatAgo(Date.parse(deletedAt))}` : formatAgo(Date.parse(updatedAt)),
  );
  if (marks > 0) parts.push(formatCounted(marks, 'mark'));
  if (isOpen) parts.push('in the editor');
  return parts.join(' · ');
}
