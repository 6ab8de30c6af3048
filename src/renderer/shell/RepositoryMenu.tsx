import { ChevronDown, Folder } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import type { RecentRepository } from '../../shared/folders.ts';
import { escapeHidden } from '../../shared/quote.ts';
import type { OpenedRepository } from '../../shared/repository.ts';
import { CommandItems } from '../platform/CommandItems.tsx';
import { engine } from '../platform/client.ts';
import { formatRoot } from '../platform/navigation.ts';
import { openRepository } from '../platform/state.ts';
import { Button, SourceText } from '../ui/controls.tsx';
import menuStyles from '../ui/menu.module.css';
import styles from './shell.module.css';

/** Ids of commands; null for a separator. */
const ITEMS = [
  'repository.version',
  'repository.workingTree',
  null,
  'repository.openFolder',
  'repository.openSeveral',
  'repository.all',
  'repository.openSample',
  null,
  'repository.close',
];

const MAX_RECENT = 8;

export function RepositoryMenu({ repository }: { repository: OpenedRepository }) {
  const { root, name } = repository;
  const [recent, setRecent] = useState<readonly RecentRepository[]>([]);
  const loadRecent = async () => {
    const all = await engine.call('recent.list', {});
    const others = all.filter((one) => one.root !== root && one.folder === 'there');
    setRecent(others.slice(0, MAX_RECENT));
  };
  return (
    <DropdownMenu.Root modal={false} onOpenChange={(open) => open && loadRecent()}>
      <DropdownMenu.Trigger asChild>
        <Button look="quiet" className={styles.repository} title={escapeHidden(formatRoot(root))}>
          <SourceText text={name} className={styles.repositoryName} />
          <ChevronDown size={13} />
        </Button>
      </DropdownMenu.Trigger>
      {/* In `main`, since content outside landmarks is not accessible. */}
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <DropdownMenu.Content
          className={menuStyles.menu}
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          <CommandItems ids={ITEMS} menu={DropdownMenu} />
          {/* Last, so that no item moves when the list is loaded. */}
          {recent.length > 0 && <Recent repositories={recent} />}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Recent({ repositories }: { repositories: readonly RecentRepository[] }) {
  return (
    <>
      <DropdownMenu.Separator className={menuStyles.line} />
      <DropdownMenu.Label className={menuStyles.label}>Recent</DropdownMenu.Label>
      {repositories.map(({ root, name }) => (
        <DropdownMenu.Item
          key={root}
          className={menuStyles.item}
          onSelect={() => openRepository(root)}
        >
          <span className={styles.recent}>
            <Folder size={14} />
            <SourceText text={name} />
          </span>
          <SourceText text={formatRoot(root)} className={styles.recentRoot} />
        </DropdownMenu.Item>
      ))}
    </>
  );
}
