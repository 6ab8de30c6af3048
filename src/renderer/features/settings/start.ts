import { type Command, registerCommands } from '../../platform/commands.ts';
import type { Stop } from '../../platform/lifetime.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useSettingsSection } from './section.ts';

const COMMANDS: readonly Command[] = [
  {
    id: 'view.settings',
    title: 'Settings…',
    synonyms: 'preferences options configuration theme font device model',
    keys: '$mod+,',
    run: () => openOverlay('settings'),
  },
  {
    id: 'view.chooseModel',
    title: 'Choose model and device…',
    synonyms: 'cpu gpu encoder embeddings preferences',
    run: () => openAt('indexing'),
  },
  {
    id: 'view.chooseEditor',
    title: 'Choose editor…',
    synonyms: 'ide vscode vim preferences',
    run: () => openAt('editor'),
  },
  {
    id: 'view.setUpSharedIndex',
    title: 'Set up shared index…',
    synonyms: 'pull publish bucket s3 team ci preferences',
    run: () => openAt('shared-index'),
  },
];

function openAt(section: string): void {
  useSettingsSection.setState({ section });
  openOverlay('settings');
}

export const start = (): Stop => registerCommands(COMMANDS);
