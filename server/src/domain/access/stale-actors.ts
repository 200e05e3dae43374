/**
 * What other processes say that has changed, so that actors in memory which were built from it make room soon. It
 * saves a question and memory, and decides nothing: every request re-reads what counts, so what is not heard costs that
 * question, and what is made up by somebody costs a reload.
 */
import { isId } from '../../kernel/ids.ts';

/** Ids of users, memberships, organizations or session families: each is unique among all. */
type Ids = readonly string[];

export interface ForgetfulActors {
  /** Forgets the actors that were built from any of these. */
  forget(ids: ReadonlySet<string>): void;
}

const gatherToSendMilliseconds = 50;
/** Long, because all actors in memory are looked through for what was heard; nothing waits for it. */
const gatherHeardMilliseconds = 1000;
/** At once, to send or to take in; more are left out. */
const mostIds = 1000;
const idsInMessage = 100;
const separator = ' ';

export class StaleActors {
  readonly #actors: ForgetfulActors;
  readonly #send: (text: string) => void;
  readonly #heard: Gathered;
  readonly #changed: Gathered;

  /** @param send to all processes, this one too */
  constructor(actors: ForgetfulActors, send: (text: string) => void) {
    this.#actors = actors;
    this.#send = send;
    this.#heard = new Gathered(gatherHeardMilliseconds, (ids) => this.#actors.forget(ids));
    this.#changed = new Gathered(gatherToSendMilliseconds, (ids) => this.#tell([...ids]));
  }

  /** Something changed here, durably. */
  changed(ids: Ids): void {
    this.#changed.add(ids);
  }

  /** A message, of another process or of anybody: what is no id is left out. */
  heard(text: string): void {
    if (text.length <= mostCharacters) this.#heard.add(text.split(separator).filter(isId));
  }

  #tell(ids: Ids): void {
    for (let start = 0; start < ids.length; start += idsInMessage)
      this.#send(ids.slice(start, start + idsInMessage).join(separator));
  }
}

/** Of a UUID and a separator each. */
const mostCharacters = idsInMessage * 37;

/** Ids of a short while, handed on together. */
class Gathered {
  readonly #milliseconds: number;
  readonly #handOn: (ids: ReadonlySet<string>) => void;
  #ids = new Set<string>();

  constructor(milliseconds: number, handOn: (ids: ReadonlySet<string>) => void) {
    this.#milliseconds = milliseconds;
    this.#handOn = handOn;
  }

  add(ids: Ids): void {
    if (ids.length === 0) return;
    if (this.#ids.size === 0) setTimeout(() => this.#flush(), this.#milliseconds).unref();
    for (const id of ids) if (this.#ids.size < mostIds) this.#ids.add(id);
  }

  #flush(): void {
    const ids = this.#ids;
    this.#ids = new Set();
    this.#handOn(ids);
  }
}
