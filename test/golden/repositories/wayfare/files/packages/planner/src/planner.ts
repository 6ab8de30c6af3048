import { Calendar, type Minutes, parseClock, type Station, type Stop, type Trip } from '@wayfare/timetable';
import { memoize } from './decorators';
import * as fares from './fares';
import { PriorityQueue } from './queue';

export interface Leg {
  line: string | null;
  from: string;
  to: string;
  departs: Minutes;
  arrives: Minutes;
}

interface Label {
  stop: string;
  arrives: Minutes;
  via: Leg | null;
  before: Label | null;
}

export class NoConnection extends Error {}

abstract class Search<Place extends { id: string }> {
  protected readonly settled = new Set<string>();

  constructor(protected readonly places: ReadonlyMap<string, Place>) {}

  protected abstract neighbors(label: Label): Iterable<Label>;

  protected run(start: Label, goal: string): Label {
    const queue = new PriorityQueue<Label>((a, b) => a.arrives - b.arrives);
    queue.push(start);
    for (let label = queue.pop(); label; label = queue.pop()) {
      if (label.stop === goal) return label;
      if (this.settled.has(label.stop)) continue;
      this.settled.add(label.stop);
      for (const next of this.neighbors(label)) queue.push(next);
    }
    throw new NoConnection(`no way to ${goal}`);
  }
}

/** Earliest arrival over trips and short walks. */
export default class Planner extends Search<Stop | Station> {
  private readonly calendar = new Calendar();

  constructor(
    places: ReadonlyMap<string, Stop | Station>,
    private readonly trips: readonly Trip[],
    private readonly walkLimit = 10,
  ) {
    super(places);
  }

  plan(from: string, to: string, at: string | null = null): Leg[] {
    const departs = at === null ? this.calendar.now() : parseClock(at);
    const last = this.run({ stop: from, arrives: departs, via: null, before: null }, to);
    return this.unwind(last);
  }

  price(from: string, to: string, at: string): string {
    return fares.showFare(fares.fareOf(this.plan(from, to, at)));
  }

  protected override *neighbors(label: Label): Generator<Label> {
    yield* this.rides(label);
    for (const [id, minutes] of this.walksFrom(label.stop)) {
      const arrives = label.arrives + minutes;
      const via = { line: null, from: label.stop, to: id, departs: label.arrives, arrives };
      yield { stop: id, arrives, via, before: label };
    }
  }

  @memoize
  private walksFrom(stop: string): [string, number][] {
    const place = this.places.get(stop);
    if (!place) return [];
    const walks = [...this.places.values()].map((other): [string, number] => [other.id, place.walkTo(other)]);
    return walks.filter(([id, minutes]) => id !== stop && minutes <= this.walkLimit);
  }

  private *rides(label: Label): Generator<Label> {
    for (const trip of this.trips) {
      const on = trip.stops.findIndex(({ stop }) => stop === label.stop);
      if (on < 0 || trip.stops[on].time < label.arrives) continue;
      for (const { stop, time } of trip.stops.slice(on + 1)) {
        const via = { line: trip.line, from: label.stop, to: stop, departs: trip.stops[on].time, arrives: time };
        yield { stop, arrives: time, via, before: label };
      }
    }
  }

  private unwind(label: Label): Leg[] {
    const legs: Leg[] = [];
    for (let at: Label | null = label; at?.via; at = at.before) legs.unshift(at.via);
    return legs;
  }
}
