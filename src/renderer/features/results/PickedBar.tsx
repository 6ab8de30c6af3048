import { X } from 'lucide-react';
import { MARK_TITLES, MARKS } from '../../../shared/marks.ts';
import { runCommand } from '../../platform/commands.ts';
import { keysOf } from '../../platform/keys.ts';
import { IconButton } from '../../ui/controls.tsx';
import { MARK_ICONS } from '../../ui/kinds.ts';
import styles from './results.module.css';
import { useSelection } from './selection.ts';
import { useRows } from './shown-rows.ts';

/** What can be done with several chunks at once. */
export function PickedBar() {
  const picked = useSelection((state) => state.picked);
  const count = useRows().chunks.filter(({ key }) => picked.has(key)).length;
  if (count < 2) return null;
  return (
    <div className={styles.picked} role="toolbar" aria-label="Selected results">
      <span className="grow" aria-live="polite">
        {count} selected
      </span>
      {MARKS.map((mark) => {
        const Icon = MARK_ICONS[mark];
        const id = `results.mark.${mark}`;
        return (
          <IconButton
            key={mark}
            label={MARK_TITLES[mark]}
            keys={keysOf(id)}
            onClick={() => runCommand(id)}
          >
            <Icon size={15} />
          </IconButton>
        );
      })}
      <IconButton
        label="Select only the current one"
        onClick={() => runCommand('results.selectNone')}
      >
        <X size={15} />
      </IconButton>
    </div>
  );
}
