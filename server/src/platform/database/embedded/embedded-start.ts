/**
 * Owns how long a start of the embedded engine is waited for: as long as the process works. A first start takes seconds
 * of the processor, and on a busy machine any number by the clock.
 */
import { scaledMillis } from '../../../kernel/waits/wait-scale.ts';

const limits = scaledMillis({ tellMillis: 5_000, stillMillis: 60_000 });
/** The process itself takes less between two looks; an engine that works takes more, however busy the machine. */
const workMillis = 5;

interface StartWatch {
  /** Processor time of the process so far, in milliseconds. */
  readonly spentMillis: () => number;
  /** Called every few seconds while the engine works, with the seconds since the start. */
  readonly tell: (seconds: number) => void;
  /** Called when nothing has happened for a minute. */
  readonly giveUp: (reason: string) => void;
}

/** @returns ends the watch */
export const watchStart = ({ spentMillis, tell, giveUp }: StartWatch): (() => void) => {
  const { tellMillis, stillMillis } = limits;
  let seen = spentMillis();
  let looks = 0;
  let still = 0;
  const timer = setInterval(() => {
    const spent = spentMillis();
    looks += 1;
    still = spent - seen < workMillis ? still + tellMillis : 0;
    seen = spent;
    if (still >= stillMillis) giveUp(`its start has stood still for ${stillMillis / 1_000} s`);
    else tell((looks * tellMillis) / 1_000);
  }, tellMillis);
  return () => clearInterval(timer);
};

export const processMillis = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
