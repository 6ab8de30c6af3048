import { Stop, type Trip } from '@wayfare/timetable';
import { describe, expect, test } from 'vitest';
import Planner, { NoConnection } from '../src/planner';

const places = new Map(['A1', 'A2', 'B1'].map((id, i) => [id, new Stop(id, id, 47 + i, 8)]));
const trip: Trip = {
  line: 'S5',
  stops: [
    { stop: 'A1', time: 600 },
    { stop: 'B1', time: 640 },
  ],
};

describe('Planner.plan', () => {
  test('takes the next trip', () => {
    expect(new Planner(places, [trip]).plan('A1', 'B1', '9:50')[0].line).toBe('S5');
  });

  test('says where there is no connection', () => {
    expect(() => new Planner(places, []).plan('A1', 'B1', '9:50')).toThrow(NoConnection);
  });
});
