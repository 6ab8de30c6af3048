import { allCommands, COMMAND_GROUPS, getGroup } from '../../platform/commands.ts';
import { capsOf } from '../../platform/keys.ts';
import { Dialog, Keys } from '../../ui/controls.tsx';
import styles from './palette.module.css';

/** Keys that belong to the control that has the focus, not to a command. */
const EVERYWHERE: [title: string, keys: string[]][] = [
  ['Next or previous control', ['Tab']],
  ['Move in a list', ['↑', '↓']],
  ['First or last of a list', ['Home', 'End']],
  ['Choose', ['↵']],
  ['Close what is open', ['Esc']],
];

/** Every shortcut, made from the commands. */
export default function CheatSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const groups = Map.groupBy(
    allCommands().filter(({ keys }) => keys),
    getGroup,
  );
  return (
    <Dialog title="Keyboard shortcuts" size="large" open={open} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <section className={styles.sheet} tabIndex={0} data-autofocus aria-label="Shortcuts">
        <div className={styles.sheetColumns}>
          {COMMAND_GROUPS.filter((group) => groups.has(group)).map((group) => (
            <section key={group} className={styles.sheetGroup}>
              <h3>{group}</h3>
              <dl>
                {groups.get(group)?.map(({ id, title, keys, otherKeys }) => (
                  <div key={id}>
                    <dt>{title}</dt>
                    <dd>
                      <Keys keys={capsOf(keys)} />
                      {otherKeys && (
                        <>
                          <span className={styles.or}>or</span>
                          <Keys keys={capsOf(otherKeys)} />
                        </>
                      )}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
          <section className={styles.sheetGroup}>
            <h3>Everywhere</h3>
            <dl>
              {EVERYWHERE.map(([title, keys]) => (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
      </section>
    </Dialog>
  );
}
