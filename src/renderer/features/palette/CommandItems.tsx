import { Command as Cmdk } from 'cmdk';
import { type Command, getGroup, isEnabled, listCommands } from '../../platform/commands.ts';
import { getKeys } from '../../platform/keys.ts';
import { editSettings, useApp } from '../../platform/state.ts';
import { Keys } from '../../ui/controls.tsx';
import { groupCommands, type PaletteGroup } from './command-groups.ts';
import styles from './palette.module.css';

const MAX_RECENT = 5;

interface Props {
  text: string;
  onChoose: (run: () => void) => void;
}

/**
 * Lists enabled commands: recently chosen ones first, or the most used ones if there are none. With a typed text, they are one
 * group, because cmdk sorts by match only within a group.
 */
export function CommandItems({ text, onChoose }: Props) {
  const recentIds = useApp((state) => state.settings?.recentCommands) ?? [];
  const usable = listCommands().filter(
    (command) => isEnabled(command) && command.id !== 'help.palette',
  );
  const groups = groupCommands(usable, recentIds);
  const isTyped = text.trim() !== '';
  const all = { heading: 'Matches', commands: groups.flatMap(({ commands }) => commands) };
  const choose = (command: Command) =>
    onChoose(() => {
      remember(command.id);
      command.run();
    });
  return (
    <>
      <Cmdk.List className={styles.list} label="Commands">
        {(isTyped ? [all] : groups).map((group) => (
          <Group key={group.heading} {...group} onChoose={choose} />
        ))}
      </Cmdk.List>
      <Cmdk.Empty className={styles.empty}>No matching commands</Cmdk.Empty>
    </>
  );
}

interface GroupProps extends PaletteGroup {
  onChoose: (command: Command) => void;
}

function Group({ heading, commands, onChoose }: GroupProps) {
  return (
    <Cmdk.Group heading={heading} className={styles.group}>
      {commands.map((command) => (
        <Cmdk.Item
          key={command.id}
          value={command.id}
          keywords={[command.title, getGroup(command), command.synonyms ?? '']}
          className={styles.item}
          onSelect={() => onChoose(command)}
        >
          <span className={styles.title}>{command.title}</span>
          <Keys keys={getKeys(command.id)} />
        </Cmdk.Item>
      ))}
    </Cmdk.Group>
  );
}

function remember(id: string): void {
  editSettings(({ recentCommands: before }) => ({
    recentCommands: [id, ...before.filter((other) => other !== id)].slice(0, MAX_RECENT),
  }));
}
