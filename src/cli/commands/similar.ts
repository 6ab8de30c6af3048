import type { Command } from 'commander';
import { formatCounted } from '../../shared/format-count.ts';
import { quoteName } from '../../shared/quote.ts';
import { getShownName } from '../../shared/shown-name.ts';
import type { SimilarChunks } from '../../shared/similar.ts';
import { chunkQueryCommand } from '../chunk-query.ts';
import type { RunAction } from '../session.ts';
import type { Colors } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus similar . parse_cookie                        functions like this one
  locus similar . src/app.py::App.run --source        without tests, examples and docs
  locus similar . src/app.py:42 --limit 5 --json

The number is the cosine similarity of the embeddings: 1 is identical. They are computed on this machine.`;

export function similarCommand(run: RunAction): Command {
  return chunkQueryCommand<'similar', { limit: number; source?: boolean }>(run, 'similar', {
    examples: EXAMPLES,
    numbers: { limit: { flags: '-n, --limit <count>', text: 'maximum number of functions' } },
    switches: { '--source': 'exclude tests, examples, docs, vendored and generated code' },
    toRequest: ({ limit, source = false }) => {
      return { limit, sourceOnly: source };
    },
    render: renderSimilar,
  });
}

function renderSimilar({ center, chunks, pending }: SimilarChunks, colors: Colors): string[] {
  const line = (chunk: SimilarChunks['center']) =>
    `${quoteName(getShownName(chunk))}  ${colors.dim(`${quoteName(chunk.path)}:${chunk.startLine}`)}`;
  const list = chunks.map(
    (chunk) => `${colors.dim(chunk.similarity.toFixed(2).padStart(5))}  ${line(chunk)}`,
  );
  const none = chunks.length === 0 ? [colors.dim('No other functions to compare with.')] : [];
  const rest =
    pending > 0
      ? [colors.dim(`${formatCounted(pending, 'function')} not compared: not encoded yet`)]
      : [];
  return [line(center), '', ...list, ...none, ...rest];
}
