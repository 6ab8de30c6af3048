/** Plots costs against functions, both logarithmic, as an SVG for light and dark backgrounds. */

/** A curve with a name and a y for each x. Values that are not above 0 are left out of the logarithmic plot. */
export interface Curve {
  name: string;
  ys: readonly number[];
  /** True for a limit instead of a measurement. Drawn dashed, in gray. */
  isLimit?: boolean;
}

export interface Panel {
  title: string;
  unit: string;
  curves: readonly Curve[];
  /** Value of a horizontal line. */
  goal?: number;
}

const COLUMNS = 3;
const WIDTH = 330;
const HEIGHT = 310;
/** Margins around the drawing area of a panel. The legend is below it. */
const MARGIN = { left: 52, right: 14, top: 30, bottom: 116 };
/** Colors after Okabe and Ito, "Color universal design" (2008), distinct with any color vision. The last two are darker, for white backgrounds. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#b3589a', '#997700'];
const GREY = '#808080';

const STYLE = [
  'text{font:11px system-ui,sans-serif;fill:#1f2328}',
  '.title{font-weight:600;font-size:13px}',
  '.axis{fill:#59636e}',
  '.grid{stroke:#d1d9e0;stroke-width:1}',
  '.goal{stroke:#59636e;stroke-dasharray:2 3}',
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.axis{fill:#9198a1}.grid{stroke:#3d444d}.goal{stroke:#9198a1}}',
].join('');

/**
 * Draws panels as an SVG.
 * @param xs x of each point, above 0, in ascending order
 * @param description text for screen readers
 */
export function drawPlot(xs: readonly number[], panels: readonly Panel[], description: string) {
  const rows = Math.ceil(panels.length / COLUMNS);
  const width = WIDTH * Math.min(COLUMNS, panels.length);
  const drawn = panels.map((panel, i) => {
    const at = `translate(${WIDTH * (i % COLUMNS)} ${HEIGHT * Math.floor(i / COLUMNS)})`;
    return `<g transform="${at}">${drawPanel(xs, panel)}</g>`;
  });
  const size = `${width} ${HEIGHT * rows}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" role="img" aria-label="${escapeXml(description)}">`,
    `<style>${STYLE}</style>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

/** Returns the scale of whole decades around values above 0. */
export function findDecades(values: readonly number[]): { low: number; high: number } {
  const known = values.filter((value) => value > 0 && Number.isFinite(value));
  if (known.length === 0) return { low: 0, high: 1 };
  const low = Math.floor(Math.log10(Math.min(...known)));
  const high = Math.ceil(Math.log10(Math.max(...known)));
  return { low, high: Math.max(high, low + 1) };
}

function drawPanel(xs: readonly number[], { title, unit, curves, goal }: Panel): string {
  const right = WIDTH - MARGIN.right;
  const bottom = HEIGHT - MARGIN.bottom;
  const x = findDecades(xs);
  const y = findDecades([...curves.flatMap(({ ys }) => ys), goal ?? 0]);
  const across = (value: number) =>
    MARGIN.left + ((Math.log10(value) - x.low) / (x.high - x.low)) * (right - MARGIN.left);
  const up = (value: number) =>
    bottom - ((Math.log10(value) - y.low) / (y.high - y.low)) * (bottom - MARGIN.top);
  const parts = [
    `<text class="title" x="${MARGIN.left}" y="18">${escapeXml(title)}, ${escapeXml(unit)}</text>`,
  ];
  for (const tick of listDecades(x)) {
    const at = across(tick).toFixed(1);
    parts.push(drawLine('grid', at, MARGIN.top, at, bottom));
    parts.push(
      `<text class="axis" x="${at}" y="${bottom + 15}" text-anchor="middle">${formatShort(tick)}</text>`,
    );
  }
  for (const tick of listDecades(y)) {
    const at = up(tick).toFixed(1);
    parts.push(drawLine('grid', MARGIN.left, at, right, at));
    parts.push(
      `<text class="axis" x="${MARGIN.left - 6}" y="${Number(at) + 4}" text-anchor="end">${formatShort(tick)}</text>`,
    );
  }
  if (goal !== undefined) {
    const at = up(goal).toFixed(1);
    parts.push(drawLine('goal', MARGIN.left, at, right, at));
    parts.push(
      `<text class="axis" x="${right}" y="${Number(at) - 4}" text-anchor="end">goal ${goal.toLocaleString('en')}</text>`,
    );
  }
  for (const [i, curve] of curves.entries()) {
    const colour = curve.isLimit ? GREY : (COLOURS[i % COLOURS.length] ?? GREY);
    // Two limits in a panel differ by their dashes.
    const dash = curve.isLimit ? (i % 2 === 0 ? '2 3' : '7 4') : null;
    const points = xs.flatMap((value, at) => {
      const own = curve.ys[at] ?? 0;
      return own > 0 ? [`${across(value).toFixed(1)},${up(own).toFixed(1)}`] : [];
    });
    parts.push(drawCurve(points, colour, dash));
    const below = bottom + 34 + 15 * i;
    parts.push(
      drawCurve([`${MARGIN.left},${below}`, `${MARGIN.left + 18},${below}`], colour, dash),
    );
    parts.push(`<text x="${MARGIN.left + 24}" y="${below + 4}">${escapeXml(curve.name)}</text>`);
  }
  return parts.join('');
}

function drawCurve(points: readonly string[], colour: string, dash: string | null): string {
  const dashed = dash === null ? '' : ` stroke-dasharray="${dash}"`;
  const dots = points.map((point) => {
    const [x, y] = point.split(',');
    return `<circle cx="${x}" cy="${y}" r="2.5" fill="${colour}"/>`;
  });
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"${dashed}/>${dash === null ? dots.join('') : ''}`;
}

function drawLine(
  kind: string,
  x1: number | string,
  y1: number | string,
  x2: number | string,
  y2: number | string,
) {
  return `<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

function listDecades({ low, high }: { low: number; high: number }): number[] {
  return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
}

/** Formats a number as 10k or 1M; below 1, unchanged. */
function formatShort(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1e3) return `${value / 1e3}k`;
  return String(Number(value.toPrecision(2)));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
