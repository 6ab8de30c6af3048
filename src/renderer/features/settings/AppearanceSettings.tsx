import { Minus, Plus } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { CODE_SIZE } from '../../../shared/limits.ts';
import { runCommand } from '../../platform/commands.ts';
import { getKeys } from '../../platform/keys.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Field, SavedText, Segments, useFieldIds } from '../../ui/fields.tsx';
import styles from './settings.module.css';

export function AppearanceSettings() {
  const settings = useApp((state) => state.settings);
  if (!settings) return null;
  const { theme, contrast, zoom, codeFont, codeSize } = settings;
  return (
    <>
      <Field title="Theme">
        <Segments
          options={[
            ['system', 'System'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          value={theme}
          onChange={(theme) => changeSettings({ theme })}
        />
      </Field>
      <Field title="Contrast" hint="High contrast is black on white, or white on black.">
        <Segments
          options={[
            ['system', 'System'],
            ['more', 'High'],
          ]}
          value={contrast}
          onChange={(contrast) => changeSettings({ contrast })}
        />
      </Field>
      <Field title="Zoom" hint="Size of the whole window, from 50% to 300%.">
        <Stepper
          less={{
            label: 'Zoom out',
            disabled: zoom <= 0.5,
            keys: getKeys('view.zoomOut'),
            onClick: () => runCommand('view.zoomOut'),
          }}
          more={{
            label: 'Zoom in',
            disabled: zoom >= 3,
            keys: getKeys('view.zoomIn'),
            onClick: () => runCommand('view.zoomIn'),
          }}
          reset={{ disabled: zoom === 1, onClick: () => runCommand('view.zoomReset') }}
        >
          {Math.round(zoom * 100)}%
        </Stepper>
      </Field>
      <Field
        title="Code font"
        hint="A font on this machine, or several separated by commas, for issues and code. Leave empty for JetBrains Mono."
      >
        <SavedText
          className={styles.font}
          placeholder="JetBrains Mono"
          maxLength={200}
          value={codeFont}
          onSave={(codeFont) => changeSettings({ codeFont })}
        />
      </Field>
      <Field title="Code size" hint="In pixels at a zoom of 100%, from 8 to 32.">
        <Stepper
          less={{
            label: 'Smaller code',
            disabled: codeSize <= 8,
            onClick: () => resize(codeSize - 0.5),
          }}
          more={{
            label: 'Larger code',
            disabled: codeSize >= 32,
            onClick: () => resize(codeSize + 0.5),
          }}
          reset={{ disabled: codeSize === CODE_SIZE, onClick: () => resize(CODE_SIZE) }}
        >
          {codeSize} px
        </Stepper>
      </Field>
    </>
  );
}

const resize = (codeSize: number): Promise<void> => changeSettings({ codeSize });

type Step = Pick<ComponentProps<typeof IconButton>, 'label' | 'keys' | 'disabled' | 'onClick'>;

interface StepperProps {
  less: Step;
  more: Step;
  reset: Pick<Step, 'disabled' | 'onClick'>;
  children: ReactNode;
}

/** Number with buttons to decrease, increase and reset it. */
function Stepper({ less, more, reset, children }: StepperProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a layout of its own
    <div role="group" className={styles.stepper} {...useFieldIds()}>
      <IconButton {...less}>
        <Minus size={14} />
      </IconButton>
      <output aria-live="polite">{children}</output>
      <IconButton {...more}>
        <Plus size={14} />
      </IconButton>
      <Button look="quiet" {...reset}>
        Reset
      </Button>
    </div>
  );
}
