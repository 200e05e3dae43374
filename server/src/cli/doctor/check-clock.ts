/**
 * The clock of this machine against the database's, whose time decides. Cookies and the lifetimes that clients are told
 * are counted from the one, sessions end by the other.
 */
import { type Finding, findingsOn } from './findings.ts';

const { ok, warning } = findingsOn('clock');

/** One question for the time, in milliseconds since 1970. */
export interface ClockReading {
  /** When it was asked, by this machine. */
  readonly askedAt: number;
  /** What the database answered. */
  readonly theirs: number;
  /** When the answer was here, by this machine. */
  readonly answeredAt: number;
}

const toleratedSeconds = 2;

/** The answer is taken to be of the middle of the round trip, and to be wrong by half of it at most. */
export const checkClock = ({ askedAt, theirs, answeredAt }: ClockReading): Finding[] => {
  const difference = (askedAt + answeredAt) / 2 - theirs;
  const seconds = (Math.abs(difference) / 1000).toFixed(1);
  if (Math.abs(difference) - (answeredAt - askedAt) / 2 <= toleratedSeconds * 1000)
    return [ok(`The clocks of this machine and of the database agree within ${toleratedSeconds} seconds.`)];
  return [
    warning(
      `The clock of this machine is ${seconds} seconds ${difference > 0 ? 'ahead of' : 'behind'} the database's, so cookies and what clients are told of lifetimes are wrong by as much.`,
      'Set both clocks by NTP.',
    ),
  ];
};
