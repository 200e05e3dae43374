/**
 * One process on the embedded database, which is killed, runs out of disk and is started again on the same files, and
 * its clients. No other process may open the files meanwhile, so the sessions of clients are stored before the first
 * start, and the remaining rows are read after the last stop.
 */
import { cpSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../../src/platform/database/database.ts';
import { openDatabase } from '../../../../src/platform/database/open.ts';
import { seedSessions } from '../../../support/actors/seeding.ts';
import { attempt, pauseUpTo, tally, until } from '../../../support/checks/concurrency.ts';
import {
  bearer,
  goodPassword,
  newAddress,
  operations,
  type Tokens,
  tokensOf,
} from '../../../support/clients/clients.ts';
import { sqlOn } from '../../../support/database/sql.ts';
import {
  type Environment,
  environmentFor,
  type ProcessResult,
  type Serving,
  serve,
} from '../../../support/gatehouse/gatehouse-process.ts';
import { silentLogger } from '../../../support/gatehouse/silent-logger.ts';
import { type SmtpService, startSmtp } from '../../../support/servers/smtp.ts';
import { check, type FinalState, type Violation } from '../verdicts/checker.ts';
import { readFinalState } from '../verdicts/final-state.ts';
import { History, labelOf, type Reported, reportedBy } from '../verdicts/history.ts';

const sessionsEach = 20;
const pauseMillis = 20;
/** Pause before a retry. */
const retryMillis = 100;

export class EmbeddedSite {
  readonly history = new History();
  readonly environment: Environment;
  readonly #dataDirectory: string;
  readonly #smtp: SmtpService;
  readonly #stock: Tokens[];
  #serving: Serving | null = null;
  #url = '';

  private constructor(dataDirectory: string, smtp: SmtpService, stock: Tokens[]) {
    this.#dataDirectory = dataDirectory;
    this.#smtp = smtp;
    this.#stock = stock;
    this.environment = {
      ...environmentFor({ dataDirectory }),
      SMTP_URL: smtp.url,
      RATE_LIMITS_ENABLED: 'false',
      LOG_LEVEL: 'info',
    };
  }

  /**
   * Not started yet.
   * @param template a migrated and empty database, copied to `dataDirectory`
   * @param sessions that the clients may use up
   */
  static async make(template: string, dataDirectory: string, sessions: number): Promise<EmbeddedSite> {
    cpSync(template, dataDirectory, { recursive: true });
    const stock = await inDirectory(dataDirectory, (database) => seedSessions(database, sessions, sessionsEach));
    return new EmbeddedSite(dataDirectory, await startSmtp(), stock);
  }

  get url(): string {
    return this.#url;
  }

  /** Resolves once it serves, with the milliseconds from the start of the process. */
  async start(): Promise<number> {
    const begun = performance.now();
    this.#serving = await serve(this.environment);
    this.#url = this.#serving.url;
    return performance.now() - begun;
  }

  untilAnswered(count: number): Promise<void> {
    const answered = (): number => this.history.operations.filter(({ outcome }) => outcome === 'ok').length;
    const goal = answered() + count;
    return until('people are answered', async () => answered() >= goal);
  }

  kill(): Promise<ProcessResult> {
    return this.#end('SIGKILL');
  }

  ended(): Promise<ProcessResult> {
    if (this.#serving === null) throw new Error('It was not started');
    return this.#serving.ended;
  }

  /** Runs `inject` while people refresh, sign out, sign up and use their sessions. */
  async underLoad(inject: () => Promise<void>): Promise<void> {
    const state = { isOver: false };
    const steps = [this.#refreshing(), this.#refreshing(), this.#signOut, this.#signUp, this.#signUp];
    const workload = async (step: () => Promise<void>): Promise<void> => {
      while (!state.isOver) {
        await step();
        await pauseUpTo(pauseMillis);
      }
    };
    const running = Promise.all(steps.map(workload));
    try {
      await inject();
    } finally {
      state.isOver = true;
      await running;
    }
  }

  /** Has every mail sent, stops the process finally and checks the answers of clients against the stored rows. */
  async judge(): Promise<readonly Violation[]> {
    await this.#end('SIGTERM');
    let state = await this.#stateWhenMailed();
    for (let round = 0; state === null && round < 10; round += 1) {
      await this.start();
      await sleep(1000);
      await this.#end('SIGTERM');
      state = await this.#stateWhenMailed();
    }
    if (state === null) throw new Error('Mails still wait');
    return check(this.history.operations, state, { maxMails: 2, mayHangUp: true });
  }

  async close(): Promise<void> {
    await this.kill();
    await this.#smtp.down();
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<ProcessResult> {
    this.#serving?.signal(signal);
    return this.ended();
  }

  /** Null while mails wait, which are due then. */
  #stateWhenMailed(): Promise<FinalState | null> {
    return inDirectory(this.#dataDirectory, async (database) => {
      const sql = sqlOn(database);
      const waiting = await sql('UPDATE mail_outbox SET next_attempt_at = now() RETURNING id');
      const mails = new Map(Object.entries(tally(this.#smtp.mails.flatMap(({ to }) => to))));
      return waiting.length > 0 ? null : readFinalState(sql, mails);
    });
  }

  #spend(): Tokens {
    const tokens = this.#stock.pop();
    if (tokens === undefined) throw new Error('More sessions were needed than there were made');
    return tokens;
  }

  /** A user who refreshes, and continues with another session when the successor was lost with its answer. */
  #refreshing(): () => Promise<void> {
    let current = this.#spend();
    return async () => {
      const pair = labelOf(current);
      await this.#use(current);
      const question = { name: 'refresh', does: 'rotate', pair } as const;
      const answer = await this.history.ask(question, () => attempt(this.#url, operations.refresh, { ...current }));
      const { outcome } = reportedBy(answer);
      if (outcome === 'ok' && answer !== null) current = tokensOf(answer);
      if (outcome === 'refused') current = this.#spend();
      if (outcome === 'unknown') await sleep(retryMillis);
    };
  }

  readonly #signOut = async (): Promise<void> => {
    const tokens = this.#spend();
    const question = { name: 'sign-out', does: 'end', pair: labelOf(tokens) } as const;
    const send = () => attempt(this.#url, operations.signOut, {}, bearer(tokens));
    while (reportedBy(await this.history.ask(question, send)).outcome === 'unknown') await sleep(retryMillis);
    await this.#use(tokens);
    // The number of sessions is limited.
    await sleep(retryMillis);
  };

  readonly #signUp = async (): Promise<void> => {
    const email = newAddress();
    const question = { name: 'sign-up', does: 'write', key: email } as const;
    const input = { email, name: 'Test Person', password: goodPassword };
    const answer = await this.history.ask(question, () => attempt(this.#url, operations.signUp, { input }));
    if (answer === null) await sleep(retryMillis);
  };

  async #use(tokens: Tokens): Promise<Reported> {
    const question = { name: 'me', does: 'use', pair: labelOf(tokens) } as const;
    return reportedBy(await this.history.ask(question, () => attempt(this.#url, operations.me, {}, bearer(tokens))));
  }
}

const inDirectory = async <T>(dataDirectory: string, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = await openDatabase({ url: undefined, dataDirectory, logger: silentLogger });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};
