/** Visitors who decide about analytics repeatedly while Redis, which keeps their decisions, fails. */

import { attempt, pauseUpTo } from '../../../support/checks/concurrency.ts';
import { operations } from '../../../support/clients/clients.ts';
import { History, reportedBy } from '../verdicts/history.ts';
import type { Load } from './workloads.ts';

/** Null is no decision. */
type Decision = boolean | null;

const pauseMillis = 40;
/** Seldom enough that all of them, from one network, stay within its thousand decisions during a fault. */
const decidesInTen = 1;

export class Visits {
  readonly history = new History();
  /** Sentences about answers that no decision explains. */
  readonly wrong: string[] = [];
  /** Whether entries may be lost from now on; consent never appears without a decision. */
  mayForget = false;
  /** Whether Redis is overwritten: an entry may then be an earlier one of the same visitor. */
  mayBeStale = false;

  /** A workload: one visitor, whose requests go to any of the processes. */
  async visit(load: Load): Promise<void> {
    const visitor = new Visitor(this);
    while (!load.isOver()) {
      await visitor.act(load.url());
      await pauseUpTo(pauseMillis);
    }
  }
}

class Visitor {
  readonly #visits: Visits;
  /** The last acknowledged decision, and later ones with unknown outcome. */
  #possible: ReadonlySet<Decision> = new Set([null]);
  #cookie: string | null = null;

  constructor(visits: Visits) {
    this.#visits = visits;
  }

  /** An undecided visitor needs nothing from Redis. */
  act(url: string): Promise<void> {
    return this.#cookie === null || Math.random() * 10 < decidesInTen ? this.#decide(url) : this.#ask(url);
  }

  async #decide(url: string): Promise<void> {
    const analytics = Math.random() < 0.5;
    const answer = await this.#send(url, 'recordConsent', operations.recordConsent, { analytics });
    const { outcome } = reportedBy(answer);
    if (outcome === 'ok') this.#possible = new Set([analytics]);
    // A refusal deletes consent first: half done, it leaves nothing, and the visitor is asked again.
    if (outcome === 'unknown') this.#possible = new Set([...this.#possible, analytics, ...(analytics ? [] : [null])]);
  }

  async #ask(url: string): Promise<void> {
    const answer = await this.#send(url, 'visitor', operations.visitor, {});
    if (reportedBy(answer).outcome !== 'ok') return;
    const said = decisionIn(answer?.data?.['visitor']);
    const isForgotten = said !== true && this.#visits.mayForget;
    if (this.#possible.has(said) || isForgotten || this.#visits.mayBeStale) return;
    this.#visits.wrong.push(`${String(said)} instead of ${[...this.#possible].join(' or ')}`);
  }

  async #send(url: string, name: string, query: string, variables: Readonly<Record<string, unknown>>) {
    const headers = { origin: url, ...(this.#cookie === null ? {} : { cookie: this.#cookie }) };
    const answer = await this.#visits.history.ask({ name, does: 'use' }, () => attempt(url, query, variables, headers));
    const [given] = answer?.setCookies ?? [];
    if (given !== undefined) this.#cookie = given.split(';')[0] ?? null;
    return answer;
  }
}

const decisionIn = (visitor: unknown): Decision => {
  const isKnown = typeof visitor === 'object' && visitor !== null && 'analyticsConsent' in visitor;
  return isKnown && typeof visitor.analyticsConsent === 'boolean' ? visitor.analyticsConsent : null;
};
