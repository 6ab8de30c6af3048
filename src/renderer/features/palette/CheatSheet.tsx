import { COMMAND_GROUPS, getGroup, listCommands } from '../../platform/commands.ts';
import { getKeyLabels } from '../../platform/keys.ts';
import { Dialog, Keys } from '../../ui/controls.tsx';
import styles from './palette.module.css';

/** Keys of the focused control, which belong to no command. */
const CONTROL_KEYS: [title: string, keys: string[]][] = [
  ['Next or previous control', ['Tab']],
  ['Move in a list', ['↑', '↓']],
  ['First or last item of a list', ['Home', 'End']],
  ['Choose', ['↵']],
  ['Close a dialog or menu', ['Esc']],
];

/** Lists the shortcuts of all commands. */
export default function CheatSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const groups = Map.groupBy(
    listCommands().filter(({ keys }) => keys),
    getGroup,
  );
  return (
    <Dialog title="Keyboard shortcuts" size="large" open={open} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
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
                      <Keys keys={getKeyLabels(keys)} />
                      {otherKeys && (
                        <>
                          <span className={styles.or}>or</span>
                          <Keys keys={getKeyLabels(otherKeys)} />
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
              {CONTROL_KEYS.map(([title, keys]) => (
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
