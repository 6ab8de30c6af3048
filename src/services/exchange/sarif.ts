import type { Location, Log, Notification, Result } from 'sarif';
import { assertPresent } from '../../shared/assert-present.ts';
import type { ChunkKind } from '../../shared/chunk-kind.ts';
import { listReasons } from '../../shared/evidence.ts';
import { escapeHidden, quoteText, stringifySafely } from '../../shared/quote.ts';
import type { RankedChunk } from '../../shared/search.ts';
import { getShownName } from '../../shared/shown-name.ts';
import { VERSION } from '../../shared/version.ts';
import { describeList, type ExportInput, getRank, getReranking } from './export-input.ts';
import { describeVerdict, findVerdict, toCheckHead } from './list-check.ts';

const RULE = 'edit-location';

/**
 * Writes SARIF 2.1.0 (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html): one run, with a `note` for
 * each result, so that editors and code review tools show it. Paths are relative to `SRCROOT`, whose own path is omitted on
 * purpose: a shared file must not reveal where its author keeps the repository.
 */
export function toSarif(input: ExportInput): string {
  const { response, commit, createdAt } = input;
  const notifications = describeList(input).map(
    (note): Notification => ({ level: 'note', message: { text: escapeMessage(note) } }),
  );
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
                  text: 'A function, method or class that a fix of the issue is likely to change.',
                },
                defaultConfiguration: { level: 'note' },
              },
            ],
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { SRCROOT: { description: { text: 'The root of the repository.' } } },
        ...((createdAt || notifications.length > 0) && {
          invocations: [
            {
              executionSuccessful: true,
              ...(createdAt && { endTimeUtc: createdAt }),
              ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
            },
          ],
        }),
        results: response.results.map((result) => toResult(result, input)),
        properties: {
          repository: response.repository.name,
          commit,
          issue: response.issue.title,
          model: `${response.model.id} ${response.model.version}`,
          ranker: response.model.ranker,
          reranking: getReranking(response.reranking),
          check: toCheckHead(input.check),
          partial: response.partial !== null,
        },
      },
    ],
  };
  return `${stringifySafely(log)}\n`;
}

function toResult(result: RankedChunk, input: ExportInput): Result {
  const { response, contentHashes, marks, permalinks, deepLinks } = input;
  const rank = getRank(input, result);
  const verdict = findVerdict(input.check, result);
  const why = [
    ...listReasons(result).map(escapeHidden),
    ...(verdict ? [`check: ${describeVerdict(verdict, rank, quoteText)}`] : []),
  ].join('; ');
  const evidence = Object.entries(result.evidence);
  const contributions = evidence.map(([signal, { contribution }]) => [signal, contribution]);
  return {
    ruleId: RULE,
    ruleIndex: 0,
    level: 'note',
    message: {
      text: escapeMessage(
        `${rank === null ? '' : `${rank}. `}${quoteText(getShownName(result))} (${result.kind}) for ${quoteText(response.issue.title)}${why && `: ${why}`}`,
      ),
    },
    locations: [toLocation(result)],
    ...(permalinks?.has(result.address) && { hostedViewerUri: permalinks.get(result.address) }),
    // SARIF ranks run from 0 to 100, where 100 is the most important. Ours start at 1, the best.
    ...(rank !== null && { rank: 100 / rank }),
    partialFingerprints: {
      'locusContent/v1': assertPresent(
        contentHashes.get(result.address),
        `the content hash of ${result.address}`,
      ),
    },
    properties: {
      rank,
      score: result.score,
      contributions: Object.fromEntries(contributions),
      ...(result.reranked && { reranked: result.reranked }),
      ...(verdict && { check: verdict }),
      ...marks?.get(result.address),
      ...(deepLinks?.has(result.address) && { link: deepLinks.get(result.address) }),
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
        name: escapeHidden(result.name),
        fullyQualifiedName: escapeHidden(result.qualifiedName),
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
  section: 'module',
};

/**
 * Escapes text for a message (SARIF 2.1.0, 3.11.5 and 3.11.6), so that `{0}` is not a placeholder and `[text](destination)`
 * is not a link. Brackets that cannot be a link stay.
 */
function escapeMessage(text: string): string {
  const braced = text.replace(/[{}]/g, '$&$&');
  return braced.includes('](') ? braced.replace(/[\\[\]]/g, '\\$&') : braced;
}

/** Converts a relative path to a relative URI reference: each segment is escaped, lone surrogates are replaced. */
function toUri(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
