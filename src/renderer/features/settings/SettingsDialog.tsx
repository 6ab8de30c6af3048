import {
  BadgeCheck,
  Database,
  Link2,
  ListTree,
  type LucideIcon,
  Search,
  Share2,
  SquarePen,
  SunMoon,
} from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ComponentType, Suspense } from 'react';
import { Dialog } from '../../ui/controls.tsx';
import { CheckSettings } from '../check/index.ts';
import { AppearanceSettings } from './AppearanceSettings.tsx';
import { DataSettings } from './DataSettings.tsx';
import { EditorSettings } from './EditorSettings.tsx';
import { IndexSettings } from './IndexSettings.tsx';
import { IssueUrlSettings } from './IssueUrlSettings.tsx';
import { SearchSettings } from './SearchSettings.tsx';
import { SharedIndexSettings } from './SharedIndexSettings.tsx';
import { useSettingsSection } from './section.ts';
import styles from './settings.module.css';

const SECTIONS: [id: string, title: string, icon: LucideIcon, component: ComponentType][] = [
  ['appearance', 'Appearance', SunMoon, AppearanceSettings],
  ['search', 'Search', Search, SearchSettings],
  ['indexing', 'Indexing', ListTree, IndexSettings],
  ['shared-index', 'Shared index', Share2, SharedIndexSettings],
  ['editor', 'Editor', SquarePen, EditorSettings],
  ['links', 'Issue URLs', Link2, IssueUrlSettings],
  ['check', 'Check', BadgeCheck, CheckSettings],
  ['data', 'Data and logs', Database, DataSettings],
];

/** Edits the settings. Changes are saved at once and apply to all windows. */
export default function SettingsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { section } = useSettingsSection();
  return (
    <Dialog title="Settings" size="large" open={open} onClose={onClose}>
      <Tabs.Root
        className={styles.settings}
        orientation="vertical"
        value={section}
        onValueChange={(chosen) => useSettingsSection.setState({ section: chosen })}
      >
        <Tabs.List className={styles.sections} aria-label="Settings">
          {SECTIONS.map(([id, title, Icon]) => (
            <Tabs.Trigger
              key={id}
              value={id}
              className={styles.section}
              data-autofocus={id === section || undefined}
            >
              <Icon size={15} />
              {title}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {SECTIONS.map(([id, , , Component]) => (
          <Tabs.Content key={id} value={id} className={styles.content}>
            <Suspense fallback={null}>
              <Component />
            </Suspense>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Dialog>
  );
}
