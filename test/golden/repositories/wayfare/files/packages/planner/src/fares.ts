import type { Leg } from './planner';

export type Fare =
  | { kind: 'single'; cents: number }
  | { kind: 'day'; cents: number; until: string };

const ZONE = 220;
const CAP = 960;

function zonesOf(legs: readonly Leg[]): number {
  return new Set(legs.flatMap((leg) => [leg.from, leg.to]).map((stop) => stop.slice(0, 2))).size;
}

/** The cheapest fare for a journey; a day pass where single fares cost more. */
export function fareOf(legs: readonly Leg[], { reduced = false } = {}): Fare {
  const full = zonesOf(legs) * ZONE;
  const cents = reduced ? full / 2 : full;
  return cents > CAP ? { kind: 'day', cents: CAP, until: '27:00' } : { kind: 'single', cents };
}

export const showFare = (fare: Fare): string => `${(fare.cents / 100).toFixed(2)} ${fare.kind}`;
