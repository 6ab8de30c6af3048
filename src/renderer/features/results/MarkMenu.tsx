import { ContextMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { MARKS } from '../../../shared/marks.ts';
import { CommandItems } from '../../platform/CommandItems.tsx';
import { focusPane } from '../../platform/panes.ts';
import menuStyles from '../../ui/menu.module.css';
import styles from './results.module.css';

/** Ids of commands; null for a separator. */
const ITEMS = [
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
            if (!document.activeElement?.closest('textarea')) focusPane('results');
          }}
        >
          <CommandItems ids={ITEMS} menu={ContextMenu} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}
