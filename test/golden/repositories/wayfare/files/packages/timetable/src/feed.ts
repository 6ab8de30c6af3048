import { ClockError, type Minutes, parseClock } from './clock';
import { Station, Stop } from './stop';

export interface Departure {
  stop: string;
  time: Minutes;
}

export interface Trip {
  line: string;
  stops: Departure[];
}

/** Reads stops and trips from the text files of a published feed. */
export class FeedReader {
  static readonly separator = ',';
  #line = 0;
  readonly stops = new Map<string, Stop | Station>();

  constructor(private readonly onWarning: (message: string) => void = console.warn) {}

  readStops(text: string): void {
    for (const [id, name, latitude, longitude, parent] of this.rows(text)) {
      const place = parent === 'station' ? new Station(id, name, +latitude, +longitude) : new Stop(id, name, +latitude, +longitude);
      this.stops.set(id, place);
      this.attach(place, parent);
    }
  }

  async *readTrips(chunks: AsyncIterable<string>): AsyncGenerator<Trip> {
    let current: Trip | null = null;
    for await (const chunk of chunks) {
      for (const [line, stop, time] of this.rows(chunk)) {
        if (current?.line !== line) {
          if (current) yield current;
          current = { line, stops: [] };
        }
        current.stops.push({ stop, time: this.timeOf(time) });
      }
    }
    if (current) yield current;
  }

  private attach(place: Stop | Station, parent: string | undefined): void {
    const station = parent ? this.stops.get(parent) : undefined;
    if (station instanceof Station && place instanceof Stop) station.add(place);
  }

  private timeOf(text: string): Minutes {
    try {
      return parseClock(text);
    } catch (error) {
      if (!(error instanceof ClockError)) throw error;
      this.onWarning(`line ${this.#line}: ${error.message}`);
      return 0;
    }
  }

  private *rows(text: string): Generator<string[]> {
    for (const row of text.split('\n')) {
      this.#line++;
      if (row.trim() !== '') yield row.split(FeedReader.separator);
    }
  }
}
