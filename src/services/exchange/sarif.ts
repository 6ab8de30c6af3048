import type { Location, Log, Result } from 'sarif';
import type { ChunkKind } from '../../shared/chunk.ts';
import { reasons } from '../../shared/evidence.ts';
import { present } from '../../shared/present.ts';
import { quoted, safeJson, visible } from '../../shared/quoted.ts';
import type { RankedChunk } from '../../shared/search.ts';
import { VERSION } from '../../shared/version.ts';
import { type ExportInput, rankOf, readOf } from './export-input.ts';

const RULE = 'edit-location';

/**
 * SARIF 2.1.0 (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html): one run, one `note` for
 * each result, so that editors and code review show the places. Paths are relative to `SRCROOT`, whose own
 * place is left out on purpose: a shared file does not tell where its author keeps the repository.
 */
export function toSarif(input: ExportInput): string {
  const { response, commit, createdAt } = input;
  const log: Log = {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Locus',
            version: VERSION,
            rules: [
              {
                id: RULE,
                name: 'EditLocation',
                shortDescription: { text: 'Where to edit for an issue' },
                fullDescription: {
                  text: 'A function, method or class that a fix of the issue would likely change.',
                },
                defaultConfiguration: { level: 'note' },
              },
            ],
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { SRCROOT: { description: { text: 'The root of the repository.' } } },
        ...(createdAt && { invocations: [{ executionSuccessful: true, endTimeUtc: createdAt }] }),
        results: response.results.map((result) => toResult(result, input)),
        properties: {
          repository: response.repository.name,
          commit,
          issue: response.issue.title,
          model: `${response.model.id} ${response.model.version}`,
          ranker: response.model.ranker,
          refined: readOf(response.refined),
          partial: response.partial !== null,
        },
      },
    ],
  };
  return `${safeJson(log)}\n`;
}

function toResult(result: RankedChunk, input: ExportInput): Result {
  const { response, hashes, marks, permalinks, links } = input;
  const rank = rankOf(input, result);
  const why = reasons(result).map(visible).join('; ');
  const evidence = Object.entries(result.evidence);
  const contributions = evidence.map(([signal, { contribution }]) => [signal, contribution]);
  return {
    ruleId: RULE,
    ruleIndex: 0,
    level: 'note',
    message: {
      text: plain(
        `${rank === null ? '' : `${rank}. `}${quoted(result.qualifiedName)} (${result.kind}) for ${quoted(response.issue.title)}${why && `: ${why}`}`,
      ),
    },
    locations: [toLocation(result)],
    ...(permalinks?.has(result.address) && { hostedViewerUri: permalinks.get(result.address) }),
    // SARIF's rank runs from 0 to 100, most important last; ours counts from 1, best first.
    ...(rank !== null && { rank: 100 / rank }),
    partialFingerprints: {
      'locusContent/v1': present(
        hashes.get(result.address),
        `the content hash of ${result.address}`,
      ),
    },
    properties: {
      rank,
      score: result.score,
      contributions: Object.fromEntries(contributions),
      ...(result.read && { read: result.read }),
      ...marks?.get(result.address),
      ...(links?.has(result.address) && { link: links.get(result.address) }),
    },
  };
}

function toLocation(result: RankedChunk): Location {
  return {
    physicalLocation: {
      artifactLocation: { uri: toUri(result.path), uriBaseId: 'SRCROOT' },
      region: { startLine: result.startLine, endLine: result.endLine },
    },
    logicalLocations: [
      {
        name: visible(result.name),
        fullyQualifiedName: visible(result.qualifiedName),
        kind: LOGICAL_KINDS[result.kind],
      },
    ],
  };
}

const LOGICAL_KINDS: Record<ChunkKind, string> = {
  function: 'function',
  method: 'member',
  class: 'type',
  module: 'module',
};

/**
 * A text that a message shows as it is (SARIF 2.1.0, 3.11.5 and 3.11.6): no `{0}` in it is a placeholder, and no
 * `[text](destination)` a link. Brackets that could be no link stay as they are.
 */
function plain(text: string): string {
  const braced = text.replace(/[{}]/g, '$&$&');
  return braced.includes('](') ? braced.replace(/[\\[\]]/g, '\\$&') : braced;
}

/** A relative path as a relative URI reference: every segment escaped, a lone surrogate replaced. */
function toUri(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
