import { useState } from 'react';
import { type EditorsHere, isCustomEditor } from '../../../shared/editor-command.ts';
import { EDITORS } from '../../../shared/editors.ts';
import { MAX_EDITOR } from '../../../shared/limits.ts';
import { useAnswer } from '../../platform/answer.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { Choice, Field, TextInput } from '../../ui/fields.tsx';
import styles from './settings.module.css';

const CUSTOM = 'custom';

/** Editors that were found, and the one that is set though it was not. */
function optionsFor(here: EditorsHere | null, set: string): [id: string, title: string][] {
  const system = here && (here.system ?? 'none was found');
  const found = here?.found ?? [];
  const missing = EDITORS[set] && !found.some(({ id }) => id === set) ? EDITORS[set].name : null;
  return [
    ['system', system === null ? 'As the system' : `As the system (${system})`],
    ...found.map(({ id, name }): [string, string] => [id, name]),
    ...(missing === null
      ? []
      : [[set, here ? `${missing} (not found)` : missing] as [string, string]]),
    [CUSTOM, 'A command of your own'],
  ];
}

export function EditorSettings() {
  const editor = useApp((state) => state.settings?.editor) ?? 'system';
  // Looked for whenever the settings are opened, so that a fresh one is offered.
  const { answer: here = null } = useAnswer('editors.list', {});
  const [isCustom, setCustom] = useState(isCustomEditor(editor));
  return (
    <>
      <Field
        title="Open files in"
        hint="For “Open in your editor”, at the line of the function. Those found on this machine are offered; the system’s is $VISUAL or $EDITOR where it can be shown, else the first that is found."
      >
        <Choice
          options={optionsFor(here, editor)}
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
          A program and its arguments, with <code>{'{file}'}</code> and <code>{'{line}'}</code>; no
          shell runs it. For example <code>{'code --goto "{file}:{line}"'}</code>.
        </>
      }
    >
      <div className={styles.exclude}>
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
            ? 'The command needs {file} before it can be used.'
            : text.trim() === editor
              ? 'Saved.'
              : 'Enter saves it.'}
        </p>
      </div>
    </Field>
  );
}
