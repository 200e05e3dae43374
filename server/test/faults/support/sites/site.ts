/** The target of most faults: processes on one database, their mail server, and the histories of their clients. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../../src/platform/database/database.ts';
import { openDatabase } from '../../../../src/platform/database/open.ts';
import { inParallel, range, tally, until } from '../../../support/checks/concurrency.ts';
import { TcpProxy } from '../../../support/clients/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database/databases.ts';
import { type Sql, sqlOn } from '../../../support/database/sql.ts';
import { orCleanUp, ServerProcess } from '../../../support/gatehouse/processes.ts';
import { silentLogger } from '../../../support/gatehouse/silent-logger.ts';
import { type SmtpService, startSmtp } from '../../../support/servers/smtp.ts';
import { check, type Tolerances, type Violation } from '../verdicts/checker.ts';
import { readFinalState } from '../verdicts/final-state.ts';
import { History } from '../verdicts/history.ts';

type Variables = Readonly<Record<string, string>>;

/** Two of the pauses after which a process looks for due mails. */
const settleMillis = 10_000;

export interface SiteOptions {
  readonly processes: number;
  /**
   * Without the proxy: it is in the process of the test, which answers late while hundreds of its clients are answered.
   */
  readonly isDirect?: true;
  /** Where the rows are, in place of a database of the run's server; nothing else is in it. */
  readonly stored?: TestDatabase;
  /** Of each process by its index, on top of the test defaults. */
  readonly environment?: (index: number) => Variables;
}

export class Site {
  readonly history = new History();
  readonly servers: readonly ServerProcess[];
  /** Between the processes and the database. */
  readonly way: TcpProxy;
  /** Not through the proxy; reconnects automatically after the server was down. */
  readonly database: Database;
  readonly sql: Sql;
  readonly smtp: SmtpService;
  readonly #stored: TestDatabase;

  private constructor(parts: Pick<Site, 'servers' | 'way' | 'database' | 'smtp'>, stored: TestDatabase) {
    this.servers = parts.servers;
    this.way = parts.way;
    this.database = parts.database;
    this.smtp = parts.smtp;
    this.sql = sqlOn(parts.database);
    this.#stored = stored;
  }

  static async start(options: SiteOptions): Promise<Site> {
    const stored = options.stored ?? (await createTestDatabase());
    return orCleanUp(
      () => Site.#startOn(stored, options),
      () => stored.drop(),
    );
  }

  static async #startOn(stored: TestDatabase, { processes, isDirect, environment }: SiteOptions): Promise<Site> {
    const direct = new URL(stored.url ?? '');
    const way = await TcpProxy.start({ host: direct.hostname, port: Number(direct.port) });
    const detour = new URL(direct);
    detour.host = `127.0.0.1:${way.port}`;
    const smtp = await startSmtp();
    const database = await openDatabase({ url: direct.href, dataDirectory: '', logger: silentLogger });
    const common = {
      DATABASE_URL: (isDirect === true ? direct : detour).href,
      DATA_DIR: stored.dataDirectory,
      SMTP_URL: smtp.url,
    };
    const servers = await Promise.all(
      range(processes).map((index) => ServerProcess.start({ ...common, ...environment?.(index) })),
    );
    return new Site({ servers, way, database, smtp }, stored);
  }

  anyUrl(): string {
    return this.servers[Math.floor(Math.random() * this.servers.length)]?.url ?? '';
  }

  /** Errors that the processes logged as internal. */
  get defects(): readonly string[] {
    return this.servers.flatMap((server) => server.defects);
  }

  get first(): ServerProcess {
    const [first] = this.servers;
    if (first === undefined) throw new Error('A site without processes');
    return first;
  }

  async untilMailed(seconds = 60): Promise<void> {
    const isEmpty = async (): Promise<boolean> => (await this.sql('SELECT id FROM mail_outbox')).length === 0;
    // A living process has deleted its sent mails by then; the process that claimed a remaining one is dead.
    const deadline = performance.now() + settleMillis;
    while (!(await isEmpty()) && performance.now() < deadline) await sleep(100);
    // Makes it due now, by the database's clock.
    await this.sql('UPDATE mail_outbox SET next_attempt_at = now()');
    await until('every queued mail is sent', isEmpty, seconds);
  }

  /** Checks all answers of clients against the stored rows and the mails. No request is in flight by then. */
  async judge(terms: Tolerances): Promise<readonly Violation[]> {
    await this.untilMailed();
    const mails = new Map(Object.entries(tally(this.smtp.mails.flatMap(({ to }) => to))));
    const state = await readFinalState(this.sql, mails);
    return check(this.history.operations, state, terms);
  }

  async close(): Promise<void> {
    await inParallel(this.servers, 4, (server) => server.kill());
    await this.way.cut();
    await this.database.close();
    await this.#stored.drop();
    await this.smtp.down();
  }
}
