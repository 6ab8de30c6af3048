import { registerCommands } from '../../platform/commands.ts';
import { openOverlay } from '../../platform/overlays.ts';
import { useSection } from './section.ts';

registerCommands([
  {
    id: 'view.settings',
    title: 'Settings …',
    group: 'View',
    keys: '$mod+,',
    run: () => openOverlay('settings'),
  },
  {
    id: 'view.chooseEditor',
    title: 'Choose an editor …',
    group: 'View',
    run: () => {
      useSection.setState({ section: 'editor' });
      openOverlay('settings');
    },
  },
]);
