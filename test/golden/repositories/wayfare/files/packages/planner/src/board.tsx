import { formatClock, type Minutes, until } from '@wayfare/timetable';
import type { Leg } from './planner';

interface BoardProps {
  legs: readonly Leg[];
  now: Minutes;
  onSelect?: (leg: Leg) => void;
}

/** The board of departures at a stop. */
export function Board({ legs, now, onSelect }: BoardProps) {
  const upcoming = legs.filter((leg) => leg.departs >= now);
  if (upcoming.length === 0) return <p className="empty">Nothing departs today.</p>;
  return (
    <table>
      {upcoming.map((leg) => (
        <Row key={`${leg.line}-${leg.departs}`} leg={leg} now={now} onClick={() => onSelect?.(leg)} />
      ))}
    </table>
  );
}

const Row = ({ leg, now, onClick }: { leg: Leg; now: Minutes; onClick: () => void }) => (
  <tr onClick={onClick}>
    <td>{leg.line ?? 'walk'}</td>
    <td>{formatClock(leg.departs)}</td>
    <td>{countdown(until(now, leg.departs))}</td>
  </tr>
);

function countdown(minutes: Minutes): string {
  return minutes === 0 ? 'now' : `in ${minutes}'`;
}
