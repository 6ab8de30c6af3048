import type { ContextMenu, DropdownMenu } from 'radix-ui';
import type { ComponentProps } from 'react';
import { IconButton, Keys } from '../ui/controls.tsx';
import menuStyles from '../ui/menu.module.css';
import { getCommand, isEnabled, runCommand } from './commands.ts';
import { getKeys } from './keys.ts';

/** Shows commands as menu items with their keys. `ids`: null for a separator. */
export function CommandItems({
  ids,
  menu: { Item, Separator },
}: {
  ids: readonly (string | null)[];
  menu: Pick<typeof ContextMenu | typeof DropdownMenu, 'Item' | 'Separator'>;
}) {
  return ids.map((id, at) => {
    const item = id === null ? undefined : getCommand(id);
    if (!item) {
      // biome-ignore lint/suspicious/noArrayIndexKey: the items never change
      return <Separator key={at} className={menuStyles.line} />;
    }
    return (
      <Item
        key={item.id}
        className={menuStyles.item}
        disabled={!isEnabled(item)}
        onSelect={() => item.run()}
      >
        {item.title}
        <Keys keys={getKeys(item.id)} />
      </Item>
    );
  });
}

type CommandButtonProps = Omit<ComponentProps<typeof IconButton>, 'keys' | 'onClick'> & {
  id: string;
};

/** An icon button that runs a command. */
export const CommandButton = ({ id, ...rest }: CommandButtonProps) => (
  <IconButton keys={getKeys(id)} onClick={() => runCommand(id)} {...rest} />
);
