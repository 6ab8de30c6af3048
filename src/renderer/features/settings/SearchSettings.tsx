import { changeSettings, useApp } from '../../platform/state.ts';
import { Choice, Field } from '../../ui/fields.tsx';

const SECOND_CHOICES = [0.5, 1, 1.5, 3, 5, 10];
const LIMIT_CHOICES = [20, 50, 100, 200, 500, 1000];

export function SearchSettings() {
  const settings = useApp((state) => state.settings);
  const rerankModels = useApp((state) => state.repository?.status.rerankModels);
  if (!settings) return null;
  const { tests, limit, rerank, rerankSeconds, backgroundEmbedding } = settings;
  const seconds = [...new Set([...SECOND_CHOICES, rerankSeconds])].sort((a, b) => a - b);
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
            : 'A second model reranks the first results, within this time limit.'
        }
      >
        <Choice
          options={[
            ['off', 'Off'],
            ...seconds.map((time) => [String(time), `Up to ${time} s`] as const),
          ]}
          value={rerank ? String(rerankSeconds) : 'off'}
          onChange={(chosen) =>
            changeSettings(
              chosen === 'off'
                ? { rerank: false }
                : { rerank: true, rerankSeconds: Number(chosen) },
            )
          }
        />
      </Field>
      {rerank && rerankModels && rerankModels.length > 0 && (
        <Field
          title="Background embedding"
          hint="Embeds all functions in advance, so that reranking is faster. It takes minutes of processor time, and 4 MB on disk for 10,000 functions."
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
