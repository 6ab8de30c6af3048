import { useState } from 'react';
import { type InstalledEditors, isCustomEditor } from '../../../shared/editor-command.ts';
import { EDITORS } from '../../../shared/editors.ts';
import { MAX_EDITOR } from '../../../shared/limits.ts';
import { useAnswer } from '../../platform/answer.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { Choice, Field, TextInput } from '../../ui/fields.tsx';
import styles from './settings.module.css';

const CUSTOM = 'custom';

/** Returns the choices: the editors that were found, and the current setting even if it was not found. */
function listOptions(
  installed: InstalledEditors | null,
  current: string,
): [id: string, title: string][] {
  const system = installed && (installed.system ?? 'none found');
  const found = installed?.found ?? [];
  const missing =
    EDITORS[current] && !found.some(({ id }) => id === current) ? EDITORS[current].name : null;
  return [
    ['system', system === null ? 'System default' : `System default (${system})`],
    ...found.map(({ id, name }): [string, string] => [id, name]),
    ...(missing === null
      ? []
      : [[current, installed ? `${missing} (not found)` : missing] as [string, string]]),
    [CUSTOM, 'Custom command'],
  ];
}

export function EditorSettings() {
  const editor = useApp((state) => state.settings?.editor) ?? 'system';
  // Listed each time the settings are opened, so that a newly installed editor appears.
  const { answer: installed = null } = useAnswer('editors.list', {});
  const [isCustom, setCustom] = useState(isCustomEditor(editor));
  return (
    <>
      <Field
        title="Open files in"
        hint="For “Open in editor”, which opens the line of the function. The system default is $VISUAL or $EDITOR if that editor has a window, otherwise the first editor found."
      >
        <Choice
          options={listOptions(installed, editor)}
          value={isCustom ? CUSTOM : editor}
          onChange={(chosen) => {
            setCustom(chosen === CUSTOM);
            if (chosen !== CUSTOM) changeSettings({ editor: chosen });
          }}
        />
      </Field>
      {isCustom && <CustomEditor editor={isCustomEditor(editor) ? editor : ''} />}
    </>
  );
}

function CustomEditor({ editor }: { editor: string }) {
  const [text, setText] = useState(editor);
  const isComplete = text.includes('{file}');
  const save = () => {
    if (isComplete && text !== editor) changeSettings({ editor: text.trim() });
  };
  return (
    <Field
      title="Command"
      hint={
        <>
          A program and its arguments, with <code>{'{file}'}</code> and <code>{'{line}'}</code>. It
          runs without a shell. Example: <code>{'code --goto "{file}:{line}"'}</code>.
        </>
      }
    >
      <div className={styles.patterns}>
        <TextInput
          value={text}
          maxLength={MAX_EDITOR}
          onChange={setText}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save();
          }}
        />
        <p role="status" className="hint">
          {!isComplete
            ? 'Add {file} to the command.'
            : text.trim() === editor
              ? 'Saved'
              : 'Press Enter to save'}
        </p>
      </div>
    </Field>
  );
}
