import { changeSettings, useApp } from '../../platform/state.ts';
import { Choice, Field } from '../../ui/fields.tsx';

const LIMITS = [20, 50, 100, 200, 500, 1000];

export function SearchSettings() {
  const settings = useApp((state) => state.settings);
  if (!settings) return null;
  const { tests, limit } = settings;
  const limits = [...new Set([...LIMITS, limit])].sort((a, b) => a - b);
  return (
    <>
      <Field
        title="Tests, examples, docs, vendored and generated code"
        hint="A fix rarely begins in them, but their names and words often fit the issue best."
      >
        {(ids) => (
          <Choice
            {...ids}
            options={[
              ['demote', 'Rank them lower'],
              ['exclude', 'Leave them out'],
              ['include', 'Treat them as source'],
            ]}
            value={tests}
            onChange={(tests) => changeSettings({ tests })}
          />
        )}
      </Field>
      <Field title="Results" hint="How many a search shows at most.">
        {(ids) => (
          <Choice
            {...ids}
            options={limits.map((count) => [String(count), String(count)] as const)}
            value={String(limit)}
            onChange={(chosen) => changeSettings({ limit: Number(chosen) })}
          />
        )}
      </Field>
    </>
  );
}
