import { changeSettings, useApp } from '../../platform/state.ts';
import { Choice, Field } from '../../ui/fields.tsx';

const LIMIT_CHOICES = [20, 50, 100, 200, 500, 1000];

export function SearchSettings() {
  const settings = useApp((state) => state.settings);
  const rerankModels = useApp((state) => state.repository?.status.rerankModels);
  if (!settings) return null;
  const { tests, limit, rerank, backgroundEmbedding } = settings;
  const limits = [...new Set([...LIMIT_CHOICES, limit])].sort((a, b) => a - b);
  return (
    <>
      <Field
        title="Tests, examples, docs, vendored and generated code"
        hint="Fixes rarely start in this code, although its names and words often match the issue best."
      >
        <Choice
          options={[
            ['demote', 'Rank them lower'],
            ['exclude', 'Leave them out'],
            ['include', 'Rank them like source code'],
          ]}
          value={tests}
          onChange={(tests) => changeSettings({ tests })}
        />
      </Field>
      <Field title="Results" hint="Maximum number of results of a search.">
        <Choice
          options={limits.map((count) => [String(count), String(count)] as const)}
          value={String(limit)}
          onChange={(chosen) => changeSettings({ limit: Number(chosen) })}
        />
      </Field>
      <Field
        title="Rerank"
        hint={
          rerankModels && rerankModels.length === 0
            ? 'A second model reranks the first results. No such model is installed.'
            : 'A second model reranks the first results. The list is final when it has finished.'
        }
      >
        <Choice
          options={[
            ['on', 'The first 50 results'],
            ['off', 'Off'],
          ]}
          value={rerank ? 'on' : 'off'}
          onChange={(chosen) => changeSettings({ rerank: chosen === 'on' })}
        />
      </Field>
      {rerank && rerankModels && rerankModels.length > 0 && (
        <Field
          title="Background embedding"
          hint="Embeds all functions in advance, so that lists are final at once. It takes minutes of processor time, and 4 MB on disk for 10,000 functions."
        >
          <Choice
            options={[
              ['off', 'Off'],
              ['idle', 'When idle, not on battery'],
            ]}
            value={backgroundEmbedding ? 'idle' : 'off'}
            onChange={(chosen) => changeSettings({ backgroundEmbedding: chosen === 'idle' })}
          />
        </Field>
      )}
    </>
  );
}
