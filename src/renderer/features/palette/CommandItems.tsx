import { Command as Cmdk } from 'cmdk';
import {
  allCommands,
  COMMAND_GROUPS,
  type Command,
  isEnabled,
  keysOf,
} from '../../app/commands.ts';
import { changeSettings, useApp } from '../../app/state.ts';
import { Keys } from '../../ui/controls.tsx';
import styles from './palette.module.css';

const REMEMBERED = 5;

/** Commands that can be run now, those chosen lately first. */
export function CommandItems({ onChoose }: { onChoose: (run: () => void) => void }) {
  const recentIds = useApp((state) => state.settings?.recentCommands) ?? [];
  const usable = allCommands().filter(
    (command) => isEnabled(command) && command.id !== 'help.palette',
  );
  const recent = recentIds.flatMap((id) => usable.filter((command) => command.id === id));
  const groups = Map.groupBy(
    usable.filter((command) => !recent.includes(command)),
    ({ group }) => group,
  );
  const choose = (command: Command) =>
    onChoose(() => {
      remember(command.id);
      command.run();
    });
  return (
    <>
      <Cmdk.List className={styles.list} label="Commands">
        {recent.length > 0 && <Group heading="Recent" commands={recent} onChoose={choose} />}
        {COMMAND_GROUPS.map((group) => [group, groups.get(group) ?? []] as const).map(
          ([group, commands]) => (
            <Group key={group} heading={group} commands={commands} onChoose={choose} />
          ),
        )}
      </Cmdk.List>
      <Cmdk.Empty className={styles.empty}>No command has such a name.</Cmdk.Empty>
    </>
  );
}

function Group({
  heading,
  commands,
  onChoose,
}: {
  heading: string;
  commands: readonly Command[];
  onChoose: (command: Command) => void;
}) {
  return (
    <Cmdk.Group heading={heading} className={styles.group}>
      {commands.map((command) => (
        <Cmdk.Item
          key={command.id}
          value={command.id}
          keywords={[command.title, command.group]}
          className={styles.item}
          onSelect={() => onChoose(command)}
        >
          <span className={styles.title}>{command.title}</span>
          <Keys keys={keysOf(command.id)} />
        </Cmdk.Item>
      ))}
    </Cmdk.Group>
  );
}

/**
 * How well a command fits what was typed, 0 to 1: every word must begin one of its title or its group, or at least
 * stand in it. Letters strewn over a title, which cmdk's own measure accepts, surprise more than they help.
 */
export function scoreCommand(_id: string, typed: string, texts: string[] = []): number {
  const text = texts.join(' ').toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const scores = words.map((word) => {
    const at = ` ${text}`.indexOf(` ${word}`);
    if (at === 0) return 1;
    return at > 0 ? 0.8 : text.includes(word) ? 0.4 : 0;
  });
  return scores.length === 0 ? 1 : Math.min(...scores);
}

function remember(id: string): void {
  const before = useApp.getState().settings?.recentCommands ?? [];
  const recentCommands = [id, ...before.filter((other) => other !== id)].slice(0, REMEMBERED);
  changeSettings({ recentCommands });
}
