import { Minus, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { CODE_SIZE } from '../../../shared/limits.ts';
import { runCommand } from '../../platform/commands.ts';
import { keysOf } from '../../platform/keys.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import fieldStyles from '../../ui/fields.module.css';
import { Field, type FieldIds, Segments } from '../../ui/fields.tsx';
import styles from './settings.module.css';

export function AppearanceSettings() {
  const settings = useApp((state) => state.settings);
  if (!settings) return null;
  const { theme, contrast, zoom, codeFont, codeSize } = settings;
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
          <Stepper
            {...ids}
            less={{
              label: 'Zoom out',
              off: zoom <= 0.5,
              keys: keysOf('view.zoomOut'),
              run: () => runCommand('view.zoomOut'),
            }}
            more={{
              label: 'Zoom in',
              off: zoom >= 3,
              keys: keysOf('view.zoomIn'),
              run: () => runCommand('view.zoomIn'),
            }}
            reset={{ off: zoom === 1, run: () => runCommand('view.zoomReset') }}
          >
            {Math.round(zoom * 100)} %
          </Stepper>
        )}
      </Field>
      <CodeFont key={codeFont} font={codeFont} />
      <Field title="Code size" hint="In pixels at a zoom of 100 %, from 8 to 32.">
        {(ids) => (
          <Stepper
            {...ids}
            less={{ label: 'Smaller code', off: codeSize <= 8, run: () => resize(codeSize - 0.5) }}
            more={{ label: 'Larger code', off: codeSize >= 32, run: () => resize(codeSize + 0.5) }}
            reset={{ off: codeSize === CODE_SIZE, run: () => resize(CODE_SIZE) }}
          >
            {codeSize} px
          </Stepper>
        )}
      </Field>
    </>
  );
}

const resize = (codeSize: number): Promise<void> => changeSettings({ codeSize });

/** Holds when the field is left, or on Enter: half a name is no font. */
function CodeFont({ font }: { font: string }) {
  const [text, setText] = useState(font);
  const keep = () => {
    if (text.trim() !== font) changeSettings({ codeFont: text.trim() });
  };
  return (
    <Field
      title="Code font"
      hint="A font of this machine, or several with commas, for the issue and the code. Empty for the app’s own, JetBrains Mono."
    >
      {(ids) => (
        <input
          {...ids}
          className={`${fieldStyles.text} ${styles.font}`}
          placeholder="JetBrains Mono"
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onBlur={keep}
          onKeyDown={({ key }) => key === 'Enter' && keep()}
        />
      )}
    </Field>
  );
}

interface Step {
  off: boolean;
  run: () => void;
}

/** A number that goes up and down, and back to what it was at first. */
function Stepper({
  less,
  more,
  reset,
  children,
  ...ids
}: FieldIds & {
  less: Step & { label: string; keys?: string[] };
  more: Step & { label: string; keys?: string[] };
  reset: Step;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a layout of its own
    <div role="group" className={styles.stepper} {...ids}>
      <IconButton label={less.label} keys={less.keys} disabled={less.off} onClick={less.run}>
        <Minus size={14} />
      </IconButton>
      <output aria-live="polite">{children}</output>
      <IconButton label={more.label} keys={more.keys} disabled={more.off} onClick={more.run}>
        <Plus size={14} />
      </IconButton>
      <Button look="quiet" disabled={reset.off} onClick={reset.run}>
        Reset
      </Button>
    </div>
  );
}
