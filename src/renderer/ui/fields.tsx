import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useEffect,
  useId,
  useState,
} from 'react';
import styles from './fields.module.css';

interface FieldIds {
  'aria-labelledby'?: string;
  'aria-describedby'?: string;
}

/** Passes the ids of a field's title and hint to its control. */
const FieldContext = createContext<FieldIds>({});

export const useFieldIds = (): FieldIds => use(FieldContext);

interface FieldProps {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}

/** A setting: its title, a hint, and a control. */
export function Field({ title, hint, children }: FieldProps) {
  const id = useId();
  const ids = {
    'aria-labelledby': `${id}-title`,
    ...(hint && { 'aria-describedby': `${id}-hint` }),
  };
  return (
    <div className={styles.field}>
      <div className={styles.fieldText}>
        <span id={`${id}-title`} className={styles.fieldTitle}>
          {title}
        </span>
        {hint && (
          <p id={`${id}-hint`} className="hint">
            {hint}
          </p>
        )}
      </div>
      <FieldContext value={ids}>{children}</FieldContext>
    </div>
  );
}

type TextProps<Element extends 'input' | 'textarea'> = Omit<ComponentProps<Element>, 'onChange'> & {
  onChange: (text: string) => void;
};

export function TextInput({ onChange, className = '', ...rest }: TextProps<'input'>) {
  return (
    <input
      {...useFieldIds()}
      className={`${styles.text} ${className}`}
      spellCheck={false}
      autoComplete="off"
      maxLength={2000}
      onChange={({ target }) => onChange(target.value)}
      {...rest}
    />
  );
}

export function TextLines({ onChange, ...rest }: TextProps<'textarea'>) {
  return (
    <textarea
      {...useFieldIds()}
      className={styles.text}
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
      {...rest}
    />
  );
}

type SavedTextProps = ComponentProps<'input'> & { value: string; onSave: (text: string) => void };

/** A text that is saved when the field loses the focus, or with Enter. */
export function SavedText({ value, onSave, ...rest }: SavedTextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const save = () => text.trim() !== value && onSave(text.trim());
  return (
    <TextInput
      {...rest}
      value={text}
      onChange={setText}
      onBlur={save}
      onKeyDown={({ key }) => key === 'Enter' && save()}
    />
  );
}

interface OptionsProps<Value extends string> {
  options: readonly (readonly [value: Value, title: string])[];
  value: Value;
  onChange: (value: Value) => void;
}

interface SegmentsProps<Value extends string> extends OptionsProps<Value>, FieldIds {
  'aria-label'?: string;
  /** True to get the focus when its dialog opens. */
  autoFocus?: boolean;
}

/** A choice of a few options that are all visible. */
export function Segments<Value extends string>({
  options,
  value,
  onChange,
  autoFocus = false,
  ...named
}: SegmentsProps<Value>) {
  const ids = useFieldIds();
  const name = useId();
  return (
    <div role="radiogroup" className={styles.segments} {...ids} {...named}>
      {options.map(([option, title]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            data-autofocus={(autoFocus && option === value) || undefined}
            onChange={() => onChange(option)}
          />
          <span>{title}</span>
        </label>
      ))}
    </div>
  );
}

export function Choice<Value extends string>({ options, value, onChange }: OptionsProps<Value>) {
  return (
    <select
      {...useFieldIds()}
      className={styles.select}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
    >
      {options.map(([option, title]) => (
        <option key={option} value={option}>
          {title}
        </option>
      ))}
    </select>
  );
}
