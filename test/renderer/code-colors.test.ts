import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

/** Red, green and blue from 0 to 255, alpha from 0 to 1. */
type Color = Record<'red' | 'green' | 'blue' | 'alpha', number>;

const css = readFileSync(new URL('../../src/renderer/ui/tokens.css', import.meta.url), 'utf8');
const contrastAt = css.indexOf(':root[data-contrast="more"]');

/** Returns the last value of a token before an offset of the file, for light (0) or dark (1). */
function token(name: string, scheme: number, before: number): Color {
  const values = css.slice(0, before).matchAll(/^\s*(--[\w-]+): light-dark\((.+)\);/gm);
  const found = [...values].findLast(([, key]) => key === name)?.[2];
  assert.ok(found, `${name} is a token`);
  const text = found.split(/,\s*(?=[#r])/)[scheme] ?? '';
  const channels = text.startsWith('#')
    ? [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16))
    : (text.match(/[\d.]+/g) ?? []).map(Number);
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN, alpha = 1] = channels;
  return { red, green, blue, alpha };
}

function over(below: Color, above: Color): Color {
  const mixed = (name: 'red' | 'green' | 'blue') =>
    above.alpha * above[name] + (1 - above.alpha) * below[name];
  return { red: mixed('red'), green: mixed('green'), blue: mixed('blue'), alpha: 1 };
}

/** Returns the contrast of two colors as defined by WCAG 2.2. */
function contrast(a: Color, b: Color): number {
  const [first, second] = [luminance(a), luminance(b)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

function luminance({ red, green, blue }: Color): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

const KINDS = 'text comment keyword string number type function call parameter property'.split(' ');
const TINTS = ['--code-heat-1', '--code-heat-2', '--code-range', '--highlight'];

describe('the colors of code', () => {
  for (const [look, scheme, before] of [
    ['light', 0, contrastAt],
    ['dark', 1, contrastAt],
    ['light, high contrast', 0, css.length],
    ['dark, high contrast', 1, css.length],
  ] as const) {
    it(`have enough contrast on every background: ${look}`, () => {
      const at = (name: string) => token(name, scheme, before);
      const surface = at('--surface');
      const tinted = [surface, ...TINTS.map((tint) => over(surface, at(tint)))];
      const mentioned = tinted.map((below) => over(below, at('--code-mention')));
      const grounds = [...tinted, ...mentioned, at('--raised')];
      for (const kind of KINDS) {
        const worst = Math.min(...grounds.map((ground) => contrast(at(`--code-${kind}`), ground)));
        assert.ok(worst >= 4.5, `--code-${kind} has a contrast of ${worst.toFixed(2)}`);
      }
    });
  }
});
