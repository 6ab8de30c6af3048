import { ChevronRight, GitCommitVertical, ListTree, TextSearch } from 'lucide-react';
import type { OutlinedChunk } from '../../../shared/detail.ts';
import { runCommand } from '../../platform/commands.ts';
import { getKeys } from '../../platform/keys.ts';
import { useApp } from '../../platform/state.ts';
import { IconButton, SourceText } from '../../ui/controls.tsx';
import { KIND_ICONS } from '../../ui/kinds.ts';
import { splitName, splitPath } from '../../ui/names.ts';
import styles from './crumbs.module.css';
import { listEnclosing, showDefinition } from './nesting.ts';
import { OutlineMenu } from './OutlineMenu.tsx';
import { useCursorLine, usePreview } from './view.ts';

/** Shows the cursor's location: the file and the enclosing definitions. A click moves the cursor to a definition. */
export function Crumbs() {
  const file = usePreview((state) => state.file);
  const line = useCursorLine();
  const blame = useApp((state) => state.settings?.blame ?? false);
  if (!file) return null;
  const enclosing = line === null ? [] : listEnclosing(file.chunks, line);
  return (
    <div className={styles.bar}>
      <nav aria-label="Location" className={styles.crumbs}>
        <ol>
          <li>
            <OutlineMenu file={file} line={line}>
              <button type="button" className={styles.crumb}>
                <ListTree size={13} aria-hidden="true" />
                <SourceText className="ellipsis" text={splitPath(file.path)[1]} />
                <span className="visually-hidden"> outline</span>
              </button>
            </OutlineMenu>
          </li>
          {enclosing.map((chunk, at) => (
            <Crumb key={chunk.address} chunk={chunk} isLast={at === enclosing.length - 1} />
          ))}
        </ol>
      </nav>
      <IconButton
        label="Find references"
        keys={getKeys('code.references')}
        onClick={() => runCommand('code.references')}
      >
        <TextSearch size={15} />
      </IconButton>
      <IconButton
        label="Toggle blame"
        keys={getKeys('code.blame')}
        aria-pressed={blame}
        onClick={() => runCommand('code.blame')}
      >
        <GitCommitVertical size={15} />
      </IconButton>
    </div>
  );
}

function Crumb({ chunk, isLast }: { chunk: OutlinedChunk; isLast: boolean }) {
  const Icon = KIND_ICONS[chunk.kind];
  return (
    <li>
      <ChevronRight size={12} aria-hidden="true" />
      <button
        type="button"
        className={styles.crumb}
        aria-current={isLast ? 'location' : undefined}
        onClick={() => showDefinition(chunk)}
      >
        <Icon size={13} aria-hidden="true" />
        <SourceText
          className="ellipsis"
          text={chunk.shownName ? splitName(chunk)[1] : chunk.name}
        />
      </button>
    </li>
  );
}
