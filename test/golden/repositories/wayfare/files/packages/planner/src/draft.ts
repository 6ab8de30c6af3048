import { formatClock } from '@wayfare/timetable';

/** Not finished yet. */
export class Detour {
  constructor(private readonly minutes: number {}

  describe(): string {
    return `${formatClock(this.minutes)} longer`;
  }

  avoid(stop: string, ): boolean {
    return stop ===
  }
}

export function detour(): Detour {
  return new Detour(5);
}
