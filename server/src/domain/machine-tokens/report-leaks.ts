/**
 * Reports of leaked tokens (contract/machine-credentials.md#effect-of-a-report; decisions 0065 and 0079). A report is
 * stored before it is answered, and worked off afterwards: nothing accepted is lost, and all answers are alike.
 */
import { isPrintable } from '../../kernel/printable.ts';
import { DatabaseUnavailable } from '../../platform/database/database.ts';
import { currentCorrelationId, withContext } from '../../platform/observability/context.ts';
import { WorkLoop } from '../../platform/work-loop.ts';
import type { Deps } from '../access/deps.ts';
import { hashToken, tokenKindOf } from '../credentials/token.ts';
import { endReported, type ReportDeps } from './end-reported.ts';
import {
  claimDueReport,
  deleteReport,
  insertReport,
  listReported,
  newUnclaimedId,
  type ReportEntry,
} from './report-leaks-store.ts';

/** As it was sent: untrusted. */
export interface ReportedToken {
  readonly token: string;
  readonly url: string;
  readonly source: string;
}

type TokenReportsDeps = ReportDeps & Deps<'database' | 'logger'>;

const pollMilliseconds = 5000;

/** Owns the reports of this process: accepts them, and works off those of every process. */
export class TokenReports {
  readonly #deps: TokenReportsDeps;
  readonly #loop: WorkLoop;

  constructor(deps: TokenReportsDeps) {
    this.#deps = deps;
    this.#loop = new WorkLoop({
      round: () => this.#workOff(),
      onFailed: (error) =>
        deps.logger.warn({ event: 'token.reports_unavailable', err: error }, 'Reports of tokens cannot be read'),
      pollMilliseconds,
      jitter: 0.1,
    });
  }

  /**
   * Stores the hashes of a report's live tokens, in one statement; works them off after the caller has answered.
   * @param ip of the reporter, for the log
   * @throws DatabaseUnavailable: the report is not stored
   */
  async accept(reported: readonly ReportedToken[], ip: string | null): Promise<void> {
    const entries = entriesOf(reported);
    const correlationId = currentCorrelationId();
    const { database, logger } = this.#deps;
    await database.execute(insertReport, [correlationId, JSON.stringify(entries), newUnclaimedId()]);
    const counts = { strings: reported.length, wellFormed: entries.length };
    logger.info({ event: 'token.report_accepted', ip, ...counts }, 'Tokens were reported as leaked');
    setImmediate(() => this.#loop.wake());
  }

  start(): void {
    this.#loop.start();
    this.#loop.wake();
  }

  /** Works off the reports that are due. Never rejects. */
  flush(): Promise<void> {
    return this.#loop.run();
  }

  /** Ends the work after the token in progress; what is left waits for the next process. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** @returns whether another report may be due */
  async #workOff(): Promise<boolean> {
    const { database } = this.#deps;
    const report = await database.maybeOne(claimDueReport, []);
    if (report === null) return false;
    const { id, correlationId, entries, attempts } = report;
    const isDone = await withContext({ correlationId }, () => this.#endAll(id, entries, attempts));
    if (isDone) await database.execute(deleteReport, [id]);
    return true;
  }

  /** @returns whether nothing of the report is left to do @throws DatabaseUnavailable */
  async #endAll(reportId: string, entries: readonly ReportEntry[], attempts: number): Promise<boolean> {
    const { database, logger } = this.#deps;
    const findings = new Map(entries.map((entry) => [entry.hash, entry]));
    const hashes = [...findings.keys()].map((hash) => `\\x${hash}`);
    let isDone = true;
    for (const { hash, kind, sessionFamilyId } of await database.many(listReported, [hashes, reportId])) {
      if (this.#loop.isStopped) return false;
      try {
        await endReported(this.#deps, { kind, sessionFamilyId }, findings.get(hash) ?? nowhere);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        // One token that cannot be ended must not keep the others alive.
        isDone = false;
        logger.error({ event: 'token.report_failed', err: error, attempts }, 'A reported token could not be ended');
      }
    }
    return isDone;
  }
}

const nowhere = { url: '', source: '' } as const;

/** One entry for each well-formed token, with its first finding. */
const entriesOf = (reported: readonly ReportedToken[]): readonly ReportEntry[] => {
  const entries = new Map<string, ReportEntry>();
  for (const { token, url, source } of reported) {
    // The checksum rejects nearly every text that is no token.
    if (tokenKindOf(token) === null) continue;
    const hash = hashToken(token).toString('hex');
    if (!entries.has(hash)) entries.set(hash, { hash, url: cleaned(url), source: cleaned(source) });
  }
  return [...entries.values()];
};

const longest = 200;
/** A live token in the wrong field must not be kept. */
const token = /gate_[a-z]_[\w-]*/g;

/** The first 200 printable characters; those before that may be unprintable are looked at up to a bound. */
const cleaned = (text: string): string => {
  const beginning = text.slice(0, longest * 4);
  const printable = isPrintable(beginning) ? beginning : Array.from(beginning).filter(isPrintable).join('');
  return Array.from(printable.replaceAll(token, 'gate_…')).slice(0, longest).join('');
};
