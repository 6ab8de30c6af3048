export interface Located {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_RADIUS = 6_371_000;

/** Great-circle distance in meters. */
export function distance(one: Located, other: Located): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const lat = radians(other.latitude - one.latitude);
  const lon = radians(other.longitude - one.longitude);
  const a =
    Math.sin(lat / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(lon / 2) ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(a));
}

abstract class Place implements Located {
  constructor(
    readonly id: string,
    readonly name: string,
    readonly latitude: number,
    readonly longitude: number,
  ) {}

  abstract changeTime(): number;

  walkTo(other: Place): number {
    return Math.ceil(distance(this, other) / 80) + other.changeTime();
  }
}

export class Stop extends Place {
  changeTime(): number {
    return 1;
  }
}

/** Several platforms under one name. */
export class Station extends Place {
  readonly platforms: Stop[] = [];

  override changeTime(): number {
    return this.platforms.length > 4 ? 5 : 3;
  }

  add(platform: Stop): void {
    this.platforms.push(platform);
  }
}
