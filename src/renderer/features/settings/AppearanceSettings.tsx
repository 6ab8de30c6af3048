import { Minus, Plus } from 'lucide-react';
import { runCommand } from '../../platform/commands.ts';
import { keysOf } from '../../platform/keys.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Field, Segments } from '../../ui/fields.tsx';
import styles from './settings.module.css';

export function AppearanceSettings() {
  const settings = useApp((state) => state.settings);
  if (!settings) return null;
  const { theme, contrast, zoom } = settings;
  return (
    <>
      <Field title="Theme">
        {(ids) => (
          <Segments
            {...ids}
            options={[
              ['system', 'As the system'],
              ['light', 'Light'],
              ['dark', 'Dark'],
            ]}
            value={theme}
            onChange={(theme) => changeSettings({ theme })}
          />
        )}
      </Field>
      <Field title="Contrast" hint="High contrast has black on white, or white on black.">
        {(ids) => (
          <Segments
            {...ids}
            options={[
              ['system', 'As the system'],
              ['more', 'High'],
            ]}
            value={contrast}
            onChange={(contrast) => changeSettings({ contrast })}
          />
        )}
      </Field>
      <Field title="Zoom" hint="Text and everything around it, from 50 % to 300 %.">
        {(ids) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a layout of its own
          <div role="group" className={styles.zoom} {...ids}>
            <IconButton
              label="Zoom out"
              keys={keysOf('view.zoomOut')}
              disabled={zoom <= 0.5}
              onClick={() => runCommand('view.zoomOut')}
            >
              <Minus size={14} />
            </IconButton>
            <output aria-live="polite">{Math.round(zoom * 100)} %</output>
            <IconButton
              label="Zoom in"
              keys={keysOf('view.zoomIn')}
              disabled={zoom >= 3}
              onClick={() => runCommand('view.zoomIn')}
            >
              <Plus size={14} />
            </IconButton>
            <Button look="quiet" disabled={zoom === 1} onClick={() => runCommand('view.zoomReset')}>
              Reset
            </Button>
          </div>
        )}
      </Field>
    </>
  );
}
