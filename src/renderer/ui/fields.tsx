/** What forms are made of. */
import { type ReactNode, useId } from 'react';
import styles from './fields.module.css';

/** How a control says which setting it is of. */
export type FieldIds = { 'aria-labelledby': string; 'aria-describedby'?: string };

/** A setting: its name, what it means, and a control beside it. */
export function Field({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: ReactNode;
  children: (ids: FieldIds) => ReactNode;
}) {
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
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
      {children(ids)}
    </div>
  );
}

type Ids = { 'aria-labelledby'?: string; 'aria-describedby'?: string; 'aria-label'?: string };

/** One of a few, all in sight. */
export function Segments<Value extends string>({
  options,
  value,
  onChange,
  autoFocus = false,
  ...ids
}: Ids & {
  options: readonly (readonly [value: Value, title: string])[];
  value: Value;
  onChange: (value: Value) => void;
  /** Has the focus when its dialog opens. */
  autoFocus?: boolean;
}) {
  const name = useId();
  return (
    <div role="radiogroup" className={styles.segments} {...ids}>
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

/** One of many. */
export function Choice<Value extends string>({
  options,
  value,
  onChange,
  ...ids
}: Ids & {
  options: readonly (readonly [value: Value, title: string])[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <select
      className={styles.select}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
      {...ids}
    >
      {options.map(([option, title]) => (
        <option key={option} value={option}>
          {title}
        </option>
      ))}
    </select>
  );
}
