import { useState } from 'react';
import { EDITORS, isCustomEditor } from '../../../shared/editor-command.ts';
import { MAX_EDITOR } from '../../../shared/limits.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import fieldStyles from '../../ui/fields.module.css';
import { Choice, Field } from '../../ui/fields.tsx';
import styles from './settings.module.css';

const CUSTOM = 'custom';

const OPTIONS = [
  ['system', 'As the system ($VISUAL, $EDITOR)'],
  ...Object.entries(EDITORS).map(([id, { name }]) => [id, name] as const),
  [CUSTOM, 'A command of your own'],
] as const;

export function EditorSettings() {
  const editor = useApp((state) => state.settings?.editor) ?? 'system';
  const [isCustom, setCustom] = useState(isCustomEditor(editor));
  return (
    <>
      <Field title="Open files in" hint="For “Open in your editor”, at the line of the function.">
        {(ids) => (
          <Choice
            {...ids}
            options={OPTIONS}
            value={isCustom ? CUSTOM : editor}
            onChange={(chosen) => {
              setCustom(chosen === CUSTOM);
              if (chosen !== CUSTOM) changeSettings({ editor: chosen });
            }}
          />
        )}
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
      {(ids) => (
        <div className={styles.exclude}>
          <input
            {...ids}
            className={fieldStyles.text}
            spellCheck={false}
            value={text}
            maxLength={MAX_EDITOR}
            onChange={(event) => setText(event.target.value)}
            onBlur={save}
            onKeyDown={(event) => {
              if (event.key === 'Enter') save();
            }}
          />
          <p role="status" className={styles.hint}>
            {!isComplete
              ? 'The command needs {file} before it can be used.'
              : text.trim() === editor
                ? 'Saved.'
                : 'Enter saves it.'}
          </p>
        </div>
      )}
    </Field>
  );
}
