import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeWindow } from '../../src/main/windows.ts';

const display = (x: number, y: number, width: number, height: number) => ({
  workArea: { x, y, width, height },
});
const LAPTOP = display(0, 25, 1440, 875);
const RIGHT = display(1440, 0, 2560, 1440);
const window = (x: number, y: number, width = 1200, height = 800) => ({
  x,
  y,
  width,
  height,
  maximized: false,
});

test('a window stays where it was, also on a second display', () => {
  assert.deepEqual(placeWindow(window(1600, 100), [LAPTOP, RIGHT]), {
    x: 1600,
    y: 100,
    width: 1200,
    height: 800,
  });
});

test('without that display it opens at the default position, no larger than the display', () => {
  assert.deepEqual(placeWindow(window(1600, 100, 2500, 1400), [LAPTOP]), {
    width: 1440,
    height: 875,
  });
});

test('a window whose top edge is unreachable is moved', () => {
  for (const [x, y] of [
    [0, -500],
    [0, 890],
    [-1150, 100],
    [1400, 100],
  ]) {
    assert.equal(placeWindow(window(x, y), [LAPTOP]).x, undefined, `${x}, ${y}`);
  }
  assert.equal(placeWindow(window(-900, 100), [LAPTOP]).x, -900);
});

test('the first window fits a small display, and a missing display works', () => {
  assert.deepEqual(placeWindow(null, [display(0, 0, 1024, 600)]), { width: 1024, height: 600 });
  assert.deepEqual(placeWindow(null, []), { width: 1440, height: 900 });
});
