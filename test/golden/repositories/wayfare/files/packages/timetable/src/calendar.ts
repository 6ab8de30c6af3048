import type { Minutes } from './clock';

export enum ServiceDay {
  Weekday,
  Saturday,
  Sunday,
}

export namespace Holidays {
  const fixed = new Set(['01-01', '05-01', '12-25']);

  /** Whether trains run as on Sundays. */
  export function isHoliday(date: Date): boolean {
    return fixed.has(date.toISOString().slice(5, 10));
  }
}

export class Calendar {
  private readonly exceptions = new Map<string, ServiceDay>();

  constructor(private readonly timezone = 'Europe/Zurich') {}

  except(date: string, day: ServiceDay): this {
    this.exceptions.set(date, day);
    return this;
  }

  dayOf(date: Date): ServiceDay {
    const special = this.exceptions.get(date.toISOString().slice(0, 10));
    if (special !== undefined) return special;
    if (Holidays.isHoliday(date)) return ServiceDay.Sunday;
    switch (date.getUTCDay()) {
      case 0:
        return ServiceDay.Sunday;
      case 6:
        return ServiceDay.Saturday;
      default:
        return ServiceDay.Weekday;
    }
  }

  now(): Minutes {
    const local = new Date().toLocaleTimeString('de-CH', { timeZone: this.timezone });
    const [hours, minutes] = local.split(':').map(Number);
    return hours * 60 + minutes;
  }
}
