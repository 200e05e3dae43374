/** One person, the owner of an organization, who keeps hundreds of one mutation in flight: all others are served. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { attempt, type Outcome, outcomeOf, range, tally } from '../support/checks/concurrency.ts';
import { bearer, goodPassword, newAddress, operations, type Variables } from '../support/clients/clients.ts';
import { documentOf, everyOperation, inputOf, mutationNames } from '../support/operations/all-operations.ts';
import { signUp } from './support/faults/mail-faults.ts';
import { everyNth } from './support/load/sample.ts';
import { size, sized } from './support/load/size.ts';
import { Site } from './support/sites/site.ts';
import { keepResult } from './support/verdicts/results.ts';

const inFlight = 256;
const rounds = sized(2, 4);
const others = 4;
const processes = sized(1, 2);

interface Flood {
  readonly name: string;
  readonly text: string;
  readonly variables: (nth: number) => Variables;
}

const floodOf = (name: string): Flood => ({
  name,
  text: documentOf(name),
  variables: (nth) => inputOf(name, nth),
});

/** The row of the person, that of the organization, and the longest of all. */
const always: readonly Flood[] = [
  floodOf('changeName'),
  floodOf('renameOrganization'),
  {
    ...floodOf('inviteMembers'),
    variables: () => ({ input: { emails: range(200).map(() => newAddress()), role: 'MEMBER' }, dryRun: true }),
  },
];

const each = mutationNames.filter((name) => !always.some((flood) => flood.name === name)).map(floodOf);

/** At night every mutation of the schema. */
const floods = [...always, ...(size === 'nightly' ? each : everyNth(each, 9))];

/** For a change, PostgreSQL shares its processors with other work, and may answer one of their 24 requests too late. */
const maxLate = sized(1, 0);

/** Each of another network. */
const from = (host: number): Record<string, string> => ({ 'x-forwarded-for': `192.0.2.${host}` });

describe(`One person with ${inFlight} mutations in flight`, () => {
  let site: Site;
  let people: readonly Tenant[] = [];

  beforeAll(async () => {
    const environment = { ...everyOperation, FRONTEND_URL: 'http://localhost:4000', TRUST_PROXY: '1' };
    site = await Site.start({ processes, isDirect: true, environment: () => environment });
    await signUp(site, site.first);
    people = await Promise.all(range(others).map(() => newOwner(site)));
    await site.sql(
      `UPDATE users SET password_hash = (SELECT max(password_hash) FROM users), email_validation_token_hash = NULL
       WHERE email = ANY ($1)`,
      [people.map(({ email }) => email)],
    );
  });
  afterAll(() => site.close());

  const ask = async (
    url: string,
    text: string,
    variables: Variables,
    headers: Readonly<Record<string, string>>,
  ): Promise<Outcome> => {
    const answer = await attempt(url, text, variables, headers);
    return answer === null ? 'no answer' : outcomeOf(answer);
  };

  /** What one of the others does meanwhile, each one thing after the other. */
  const servedRounds = async ({ email, tokens }: Tenant, nth: number): Promise<readonly string[]> => {
    const outcomes: string[] = [];
    const url = site.servers[nth % processes]?.url ?? '';
    const network = from(100 + nth);
    const signedIn = { ...network, ...bearer(tokens) };
    for (const round of range(rounds)) {
      const input = { email, password: goodPassword };
      outcomes.push(`signIn ${await ask(url, operations.signIn, { input }, network)}`);
      outcomes.push(`me ${await ask(url, operations.me, {}, signedIn)}`);
      outcomes.push(`changeName ${await ask(url, operations.changeName, { name: `Other ${round}` }, signedIn)}`);
    }
    return outcomes;
  };

  it.each(floods)(
    `of $name leaves sign-ins, reads and changes of others as they are${size === 'nightly' ? '' : ', but for one that PostgreSQL answers late'}`,
    async ({ name, text, variables }) => {
      const person = await newOwner(site);
      const headers = { ...from(1), ...bearer(person.tokens) };
      const state = { isOver: false, sent: 0 };
      const own: Outcome[] = [];
      const flood = range(inFlight).map(async (nth) => {
        const url = site.servers[nth % processes]?.url ?? '';
        while (!state.isOver) {
          state.sent += 1;
          own.push(await ask(url, text, variables(state.sent), headers));
        }
      });
      const outcomes = (await Promise.all(people.map(servedRounds))).flat();
      state.isOver = true;
      await Promise.all(flood);
      await keepResult({
        fault: `one person with ${inFlight} ${name} in flight`,
        runs: 1,
        violations: [],
        operations: [],
        defects: site.defects,
        note: `others: ${JSON.stringify(tally(outcomes))}; their own: ${JSON.stringify(tally(own))}`,
      });
      expect(outcomes.filter((outcome) => !outcome.endsWith(' OK')).length).toBeLessThanOrEqual(maxLate);
      expect(site.defects).toEqual([]);
      expect(own.length).toBeGreaterThanOrEqual(inFlight);
    },
  );
});
