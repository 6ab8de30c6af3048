import { ContextMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { MARKS } from '../../../shared/marks.ts';
import { CommandItems } from '../../platform/CommandItems.tsx';
import { focusPane, usePanes } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import menuStyles from '../../ui/menu.module.css';
import { openInEditor } from '../preview/index.ts';
import { getCurrentSelected } from '../search/index.ts';
import styles from './results.module.css';
import { getShownRows } from './shown-rows.ts';

/** Ids of commands; null for a separator. */
const ITEMS = [
  'neighbors.show',
  null,
  ...MARKS.map((mark) => `results.mark.${mark}`),
  'results.unmark',
  'results.note',
  null,
  'results.evidence',
  'results.copy',
  'results.copyLink',
  null,
  'results.group',
  'results.selectAll',
];

/** Context menu of the selected results, opened by right click or the menu key. */
export function MarkMenu({ children }: { children: ReactNode }) {
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger className={styles.menuArea}>{children}</ContextMenu.Trigger>
      {/* In `main`, since content outside landmarks is not accessible. */}
      <ContextMenu.Portal container={document.querySelector('main')}>
        <ContextMenu.Content
          className={menuStyles.menu}
          aria-label="Selected results"
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // If a note is being written, its editor already has the focus.
            const isWriting = document.activeElement?.closest('textarea');
            // In a narrow window, the command may have replaced the list by another pane.
            const { single, shown } = usePanes.getState();
            if (!isWriting && !(single && shown !== 'results')) focusPane('results');
          }}
        >
          <OpenInEditor />
          <CommandItems ids={ITEMS} menu={ContextMenu} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

/** Opens the selected function at its first line. The command of the preview opens the line of the cursor there. */
function OpenInEditor() {
  const isVersion = useApp((state) => state.version !== null);
  const selected = getCurrentSelected();
  const row = getShownRows().chunks.find(({ key }) => key === selected);
  return (
    <ContextMenu.Item
      className={menuStyles.item}
      // The files of a commit are not on disk.
      disabled={!row || isVersion}
      onSelect={() => row && openInEditor(row.chunk.path, row.chunk.startLine)}
    >
      Open in editor
    </ContextMenu.Item>
  );
}
