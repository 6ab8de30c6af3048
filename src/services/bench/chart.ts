/** Draws a report as a picture in SVG: a row for each group, a panel for each cutoff, and a dot with its interval for each list. */
import { assertPresent } from '../../shared/assert-present.ts';
import { escapeHidden } from '../../shared/quote.ts';
import type { MetricEstimate } from '../evaluation/statistics.ts';
import { type BenchGroup, type BenchReport, CUTOFFS } from './report.ts';

const ROW = 30;
const LABELS = 230;
const PANEL = 190;
const GAP = 24;
const TOP = 84;
const MAX_NAME = 26;

const COLORS = { initial: '#8a8f98', reranked: '#1f6feb' };
type List = keyof typeof COLORS;

/** Maximum number of areas in the picture and the table, those with the most fixes. */
export const MAX_AREAS = 12;

/** Returns the picture. Text of the repository is escaped. */
export function drawBenchChart(report: BenchReport): string {
  const { all, years, areas, repository, fixes } = report;
  const sections = [[all], years, areas.slice(0, MAX_AREAS)];
  const height = TOP + sections.flat().length * ROW + sections.length * 14 + 16;
  const width = LABELS + CUTOFFS.length * (PANEL + GAP) + 16;
  const lists: List[] = all.reranked ? ['initial', 'reranked'] : ['initial'];
  let y = TOP;
  const rows = sections.flatMap((groups) => {
    const drawn = groups.map((group, i) => drawRow(group, y + i * ROW, lists));
    y += groups.length * ROW + 14;
    return drawn;
  });
  const title = `${shorten(repository, 60)}: an edited function among the first results, ${fixes.length} fixes`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#1f2328" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(16, 26, title, 'font-size="15" font-weight="600"'),
    ...lists.flatMap((list, i) => [
      `<circle cx="${22 + i * 110}" cy="45" r="4.5" fill="${COLORS[list]}"/>`,
      text(32 + i * 110, 49, list),
    ]),
    text(32 + lists.length * 110, 49, 'lines: 95% intervals', 'fill="#59636e"'),
    ...CUTOFFS.flatMap((k, i) => drawPanel(k, i, height)),
    ...rows.flat(),
    '</svg>',
    '',
  ].join('\n');
}

const getLeft = (panel: number) => LABELS + panel * (PANEL + GAP);

function drawPanel(cutoff: number, panel: number, height: number): string[] {
  const left = getLeft(panel);
  return [
    text(left, TOP - 18, `first ${cutoff}`, 'font-weight="600"'),
    ...[0, 0.5, 1].flatMap((share) => {
      const x = left + share * PANEL;
      const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle';
      return [
        `<line x1="${x}" y1="${TOP - 2}" x2="${x}" y2="${height - 16}" stroke="#d1d9e0"/>`,
        text(
          x,
          TOP - 4,
          `${100 * share}%`,
          `font-size="10" fill="#59636e" text-anchor="${anchor}"`,
        ),
      ];
    }),
  ];
}

function drawRow(group: BenchGroup, top: number, lists: readonly List[]): string[] {
  const middle = top + ROW / 2;
  const label = `${shorten(group.name, MAX_NAME)} (${group.fixes})`;
  return [
    text(16, middle + 4, label),
    ...lists.flatMap((list, i) => {
      const y = lists.length === 1 ? middle : middle - 5 + 10 * i;
      const rates = group[list] ?? group.initial;
      return CUTOFFS.map((_, panel) =>
        drawEstimate(assertPresent(rates.any[panel], 'a rate'), getLeft(panel), y, COLORS[list]),
      );
    }),
  ];
}

function drawEstimate(
  { mean, interval: [low, high] }: MetricEstimate,
  left: number,
  y: number,
  color: string,
): string {
  const at = (share: number) => (left + share * PANEL).toFixed(1);
  return `<g stroke="${color}" fill="${color}"><line x1="${at(low)}" y1="${y}" x2="${at(high)}" y2="${y}" stroke-width="2" stroke-opacity="0.45"/><circle cx="${at(mean)}" cy="${y}" r="4"/></g>`;
}

const text = (x: number, y: number, content: string, more = '') =>
  `<text x="${x}" y="${y}"${more && ` ${more}`}>${escapeXml(content)}</text>`;

function shorten(name: string, most: number): string {
  const characters = Array.from(escapeHidden(name));
  return characters.length <= most
    ? characters.join('')
    : `…${characters.slice(1 - most).join('')}`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeXml = (content: string) =>
  content.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
