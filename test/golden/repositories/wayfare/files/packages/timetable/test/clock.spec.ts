import { describe, expect, it } from 'vitest';
import { ClockError, formatClock, parseClock } from '../src/clock';

describe('parseClock', () => {
  it('reads times after midnight', () => {
    expect(parseClock('25:10')).toBe(1510);
  });

  it('throws on anything else', () => {
    expect(() => parseClock('noon')).toThrow(ClockError);
  });
});

it('formats what it parsed', () => expect(formatClock(parseClock('7:05'))).toBe('07:05'));
