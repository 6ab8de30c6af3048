/** Minutes since the service day began; more than 1440 after midnight. */
export type Minutes = number;

const PATTERN = /^(\d{1,2}):(\d{2})$/;
export const DAY: Minutes = 24 * 60;

export class ClockError extends Error {
  constructor(readonly input: string) {
    super(`not a time of day: ${input}`);
    this.name = 'ClockError';
  }
}

export function parseClock(text: string): Minutes;
export function parseClock(text: string, fallback: Minutes): Minutes;
/** Reads "7:05" or "25:10", as feeds write departures after midnight. */
export function parseClock(text: string, fallback?: Minutes): Minutes {
  const match = PATTERN.exec(text.trim());
  if (!match) {
    if (fallback !== undefined) return fallback;
    throw new ClockError(text);
  }
  return Number(match[1]) * 60 + Number(match[2]);
}

export const formatClock = (minutes: Minutes): string => {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
};

export const until = (from: Minutes, to: Minutes): Minutes => to - from;
