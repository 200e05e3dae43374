/** Stores of helper sessions: the same behaviour for the database and for Redis. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HelperSessions } from '../../src/platform/helper-sessions.ts';
import { inParallel, range, tally, until } from '../support/checks/concurrency.ts';
import { findSecrets } from '../support/checks/secret-scan.ts';
import { embedded, redisOnly, redisUrl } from '../support/database/engines.ts';
import { fixture } from '../support/fixture.ts';
import { databaseStore, type Place, redisStore } from '../support/gatehouse/helper-stores.ts';

const stores = [
  { kind: embedded ? 'the embedded database' : 'PostgreSQL', isHere: true, start: databaseStore },
  { kind: `Redis${redisOnly}`, isHere: redisUrl !== undefined, start: redisStore },
];

const callers = 50;
const minute = 60;

const newPlace = (name = 'name'): Place => ({ sessionId: randomBytes(32).toString('base64url'), name });

for (const { kind, isHere, start } of stores) {
  describe.runIf(isHere)(`Helper sessions in ${kind}`, () => {
    let processes: readonly [HelperSessions, HelperSessions];
    let sessions: HelperSessions;
    const store = fixture(start);
    beforeAll(async () => {
      processes = [store.open(), store.open()];
      [sessions] = processes;
    });

    const write = ({ sessionId, name }: Place, value: string, life = minute): Promise<void> =>
      sessions.write(sessionId, name, value, life);
    const read = ({ sessionId, name }: Place, by = sessions): Promise<string | null> => by.read(sessionId, name);
    const take = ({ sessionId, name }: Place, by = sessions): Promise<string | null> => by.take(sessionId, name);
    const keep = ({ sessionId, name }: Place, value: string, life = minute): Promise<string> =>
      sessions.keep(sessionId, name, value, life);
    const byMany = <T>(work: (by: HelperSessions, index: number) => Promise<T>): Promise<T[]> =>
      inParallel(range(callers), callers, (index) => work(processes[index % 2 === 0 ? 0 : 1], index));

    // Contract: accounts#store-of-helper-sessions — REDIS_URL: helper sessions, the same in every store
    it('store a text by session and name, for every process, until another replaces it', async () => {
      const place = newPlace();
      expect(await read(place)).toBeNull();
      await write(place, 'first, ünïcode 🎉');
      for (const by of processes) expect(await read(place, by)).toBe('first, ünïcode 🎉');
      await write(place, '');
      for (const by of processes) expect(await read(place, by)).toBe('');
      expect(await read({ ...place, name: 'name2' })).toBeNull();
      expect(await read(newPlace())).toBeNull();
    });

    // Contract: accounts#store-of-helper-sessions — A taken entry goes to one caller
    it('return a taken entry to one of fifty callers', async () => {
      const [place, other] = [newPlace(), newPlace()];
      await write(place, 'once');
      await write(other, 'stays');
      const taken = await byMany((by) => take(place, by));
      expect(tally(taken.map(String))).toEqual({ once: 1, null: callers - 1 });
      expect([await read(place), await take(place), await read(other)]).toEqual([null, null, 'stays']);
    });

    it('keep one of fifty concurrent first texts, and return it to all fifty', async () => {
      const place = newPlace();
      const kept = await byMany((by, index) => by.keep(place.sessionId, place.name, `text ${index}`, minute));
      expect(new Set(kept)).toEqual(new Set([await read(place)]));
      expect(await keep(place, 'later')).toBe(kept[0]);
      await take(place);
      expect(await keep(place, 'after the end')).toBe('after the end');
    });

    it('drop an entry at its expiry, which every write extends', async () => {
      const [written, kept] = [newPlace(), newPlace()];
      await write(written, 'text', 10);
      await keep(kept, 'text', 10);
      expect(await store.secondsLeft(written)).toSatisfy(isWithin(5, 10));
      await write(written, 'text', minute);
      await keep(kept, 'another', minute);
      for (const place of [written, kept]) {
        expect(await store.secondsLeft(place)).toSatisfy(isWithin(minute - 5, minute));
        expect(await read(place)).toBe('text');
        await store.end(place);
        expect([await read(place), await take(place)]).toEqual([null, null]);
      }
      expect(await keep(kept, 'new')).toBe('new');
      await write(written, 'new');
      expect([await read(kept), await read(written)]).toEqual(['new', 'new']);
    });

    it('drop entries of one second by themselves', async () => {
      const place = newPlace();
      await write(place, 'short', 1);
      await until('the entry is gone', async () => (await read(place)) === null);
      expect(await take(place)).toBeNull();
    });

    it('drop expired values, even when they are not read again', async () => {
      const over = range(50).map(() => newPlace());
      for (const place of over) {
        await write(place, 'text');
        await store.end(place);
      }
      const stays = newPlace();
      await write(stays, 'text');
      const areGone = async (): Promise<boolean> => {
        await store.purge();
        const left = await Promise.all(over.map((place) => store.secondsLeft(place)));
        return left.every((seconds) => seconds === null);
      };
      await until('all of them are gone', areGone);
      expect(await read(stays)).toBe('text');
    });

    // Contract: accounts#store-of-helper-sessions — A dump shows neither ids nor values
    it('show neither ids nor texts in a dump', async () => {
      const place = newPlace('anonymous_id');
      const texts = ['a text that occurs nowhere else', randomBytes(32).toString('hex')];
      await write(place, texts[0] ?? '');
      await write({ ...place, name: 'external' }, texts[1] ?? '');
      const dump = await store.dump([place.sessionId]);
      expect(dump).toContain('anonymous_id');
      expect(dump).toContain('external');
      const secrets = new Map([['id', place.sessionId], ...texts.map((text): [string, string] => [text, text])]);
      expect(findSecrets(secrets, [{ name: 'dump', bytes: Buffer.from(dump, 'latin1') }])).toEqual([]);
    });

    it('seal the same text differently each time', async () => {
      const places = [newPlace(), newPlace()];
      for (const place of places) await write(place, 'the same');
      const [first, second] = await Promise.all(places.map(({ sessionId }) => store.dump([sessionId])));
      const sealedIn = (dump = ''): string => dump.replaceAll(/[0-9a-f]{64}|\d{4}-\d\d-\d\d [\d:.+]+/g, '');
      expect(sealedIn(first)).not.toBe(sealedIn(second));
    });

    it('open nothing that was moved to another session or another name', async () => {
      const from = newPlace();
      const elsewhere = [{ ...from, name: 'another' }, newPlace()];
      await write(from, 'text');
      for (const to of elsewhere) {
        await store.copy(from, to);
        expect(await store.secondsLeft(to)).not.toBeNull();
        expect(await read(to)).toBeNull();
        expect(await keep(to, 'own')).toBe('own');
        expect(await read(to)).toBe('own');
      }
      const last = newPlace();
      await store.copy(from, last);
      expect(await take(last)).toBeNull();
      expect(await read(from)).toBe('text');
    });

    it.each([
      ['nothing', Buffer.alloc(0)],
      ['a few bytes', Buffer.from('text')],
      ['a text', Buffer.from('{"userId":"00000000-0000-4000-8000-000000000000"}')],
      ['random bytes', randomBytes(100)],
    ])('ignore %s that was not sealed here, and overwrite it', async (_what, bytes) => {
      const [forRead, forTake, forKeep] = [newPlace(), newPlace(), newPlace()];
      for (const place of [forRead, forTake, forKeep]) await store.poison(place, bytes);
      expect(await read(forRead)).toBeNull();
      expect(await take(forTake)).toBeNull();
      expect(await keep(forKeep, 'own')).toBe('own');
      await write(forRead, 'own');
      expect([await read(forRead), await read(forKeep)]).toEqual(['own', 'own']);
    });

    it('open with every secret of the list, and seal with the first', async () => {
      const [older, newer] = ['an older secret of the helper sessions', 'a newer secret of the helper sessions'];
      const before = store.open([older]);
      const during = store.open([newer, older]);
      const after = store.open([newer]);
      const [old, fresh] = [newPlace(), newPlace()];
      await before.write(old.sessionId, old.name, 'of before', minute);
      await during.write(fresh.sessionId, fresh.name, 'of now', minute);
      expect([await read(old, during), await read(fresh, during)]).toEqual(['of before', 'of now']);
      expect([await read(old, after), await read(fresh, after)]).toEqual([null, 'of now']);
      expect([await read(old, before), await read(fresh, before)]).toEqual(['of before', null]);
    });
  });
}

const isWithin =
  (least: number, most: number) =>
  (seconds: number | null): boolean =>
    seconds !== null && seconds > least && seconds <= most;
