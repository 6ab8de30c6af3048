import { changeSettings, useApp } from '../../platform/state.ts';
import { Choice, Field } from '../../ui/fields.tsx';

const SECONDS = [0.5, 1, 1.5, 3, 5, 10];
const LIMITS = [20, 50, 100, 200, 500, 1000];

export function SearchSettings() {
  const settings = useApp((state) => state.settings);
  const readers = useApp((state) => state.repository?.status.readModels);
  if (!settings) return null;
  const { tests, limit, refine, readSeconds, readAhead } = settings;
  const seconds = [...new Set([...SECONDS, readSeconds])].sort((a, b) => a - b);
  const limits = [...new Set([...LIMITS, limit])].sort((a, b) => a - b);
  return (
    <>
      <Field
        title="Tests, examples, docs, vendored and generated code"
        hint="A fix rarely begins in them, but their names and words often fit the issue best."
      >
        <Choice
          options={[
            ['demote', 'Rank them lower'],
            ['exclude', 'Leave them out'],
            ['include', 'Treat them as source'],
          ]}
          value={tests}
          onChange={(tests) => changeSettings({ tests })}
        />
      </Field>
      <Field title="Results" hint="How many a search shows at most.">
        <Choice
          options={limits.map((count) => [String(count), String(count)] as const)}
          value={String(limit)}
          onChange={(chosen) => changeSettings({ limit: Number(chosen) })}
        />
      </Field>
      <Field
        title="Refine the list"
        hint={
          readers && readers.length === 0
            ? 'A second encoder would read the first results and rank them again. None is installed.'
            : 'A second encoder reads the first results for this long, and ranks them again.'
        }
      >
        <Choice
          options={[
            ['off', 'Off'],
            ...seconds.map((time) => [String(time), `Reading for ${time} s`] as const),
          ]}
          value={refine ? String(readSeconds) : 'off'}
          onChange={(chosen) =>
            changeSettings(
              chosen === 'off' ? { refine: false } : { refine: true, readSeconds: Number(chosen) },
            )
          }
        />
      </Field>
      {refine && readers && readers.length > 0 && (
        <Field
          title="Read ahead"
          hint="It reads all functions once, so that lists are refined at once. That takes the processor for minutes, and 4 MB on the disk for 10,000 functions."
        >
          <Choice
            options={[
              ['off', 'Off'],
              ['idle', 'When idle, not on battery'],
            ]}
            value={readAhead ? 'idle' : 'off'}
            onChange={(chosen) => changeSettings({ readAhead: chosen === 'idle' })}
          />
        </Field>
      )}
    </>
  );
}
