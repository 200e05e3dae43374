/** Doctor check of this machine's clock, by which cookies expire, against the database's, by which sessions end. */
import { type Finding, findingsOn } from './findings.ts';

const { ok, warning } = findingsOn('clock');

/** One clock query, in milliseconds since 1970. */
interface ClockReading {
  /** Local time before the query. */
  readonly askedAt: number;
  /** The database's time. */
  readonly theirs: number;
  /** Local time after the response. */
  readonly answeredAt: number;
}

const toleratedSeconds = 2;

/** Assumes that the database's time was taken in the middle of the round trip, with an error of at most half of it. */
export const checkClock = ({ askedAt, theirs, answeredAt }: ClockReading): Finding[] => {
  const difference = (askedAt + answeredAt) / 2 - theirs;
  const seconds = (Math.abs(difference) / 1000).toFixed(1);
  if (Math.abs(difference) - (answeredAt - askedAt) / 2 <= toleratedSeconds * 1000)
    return [ok(`The clocks of this machine and of the database agree within ${toleratedSeconds} seconds.`)];
  return [
    warning(
      `The clock of this machine is ${seconds} seconds ${difference > 0 ? 'ahead of' : 'behind'} the database's, so the lifetimes of cookies and tokens are wrong by as much for clients.`,
      'Synchronize both clocks with NTP.',
    ),
  ];
};
