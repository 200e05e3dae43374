/** One person, or the owner of an organization, who keeps hundreds of changes in flight: everybody else is served. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { plainToken, tokenOperations } from '../support/actors/token-operations.ts';
import { attempt, type Outcome, outcomeOf, range, tally } from '../support/checks/concurrency.ts';
import { bearer, goodPassword, newAddress, operations, type Variables } from '../support/clients/clients.ts';
import { signUp } from './support/faults/mail-faults.ts';
import { sized } from './support/load/size.ts';
import { Site } from './support/sites/site.ts';
import { keepResult } from './support/verdicts/results.ts';

const inFlight = 256;
const rounds = sized(2, 20);
const others = 4;

interface Change {
  readonly name: string;
  readonly text: string;
  /** Each call changes something. */
  readonly variables: (nth: number) => Variables;
}

const change = (name: string, text: string, variables: Change['variables'] = () => ({})): Change => ({
  name,
  text,
  variables,
});

/** Of a person alone, and of the owner of an organization: each kind of row that a change locks. */
const changes: readonly Change[] = [
  change('changeName', operations.changeName, (nth) => ({ name: `Person ${nth}` })),
  change('setLanguage', operations.setLanguage, (nth) => ({ language: nth % 2 === 0 ? 'de' : 'en' })),
  change('beginTotp', operations.beginTotp),
  change('requestEmailChange', operations.requestEmailChange, () => ({ newEmail: newAddress() })),
  change('createOrganization', operations.createOrganization, (nth) => ({ input: { name: `Organization ${nth}` } })),
  change('renameOrganization', operations.renameOrganization, (nth) => ({ name: `Organization ${nth}` })),
  change('inviteMember', operations.inviteMember, () => ({ input: { email: newAddress(), role: 'MEMBER' } })),
  change('inviteMembers', operations.inviteMembers, () => ({
    input: { emails: range(200).map(() => newAddress()), role: 'MEMBER' },
    dryRun: true,
  })),
  change('createPersonalToken', tokenOperations.createPersonalToken, () => ({ input: plainToken })),
  change('changeMemberRole', operations.changeMemberRole, () => ({ id: crypto.randomUUID(), role: 'ADMIN' })),
  change('removeMember', operations.removeMember, () => ({ id: crypto.randomUUID() })),
];

describe(`One person with ${inFlight} changes in flight`, () => {
  let site: Site;
  let people: readonly Tenant[] = [];

  beforeAll(async () => {
    site = await Site.start({ processes: 1 });
    await signUp(site, site.first);
    people = await Promise.all(range(others).map(() => newOwner(site)));
    await site.sql(
      `UPDATE users SET password_hash = (SELECT max(password_hash) FROM users), email_validation_token_hash = NULL
       WHERE email = ANY ($1)`,
      [people.map(({ email }) => email)],
    );
  });
  afterAll(() => site.close());

  const ask = async (text: string, variables: Variables, headers: Record<string, string> = {}): Promise<Outcome> => {
    const answer = await attempt(site.first.url, text, variables, headers);
    return answer === null ? 'no answer' : outcomeOf(answer);
  };

  /** What everybody else does meanwhile, each one thing after the other. */
  const servedRounds = async ({ email, tokens }: Tenant): Promise<readonly string[]> => {
    const outcomes: string[] = [];
    for (const round of range(rounds)) {
      const input = { email, password: goodPassword };
      outcomes.push(`signIn ${await ask(operations.signIn, { input })}`);
      outcomes.push(`me ${await ask(operations.me, {}, bearer(tokens))}`);
      outcomes.push(`changeName ${await ask(operations.changeName, { name: `Other ${round}` }, bearer(tokens))}`);
    }
    return outcomes;
  };

  /** On processors that other work shares, a request of theirs may be late as well: one in ten. */
  const maxFailed = sized(Math.floor((3 * rounds * others) / 10), 0);

  it.each(changes)(
    'of $name leaves sign-ins, reads and changes of others as they are',
    async ({ name, text, variables }) => {
      const person = await newOwner(site);
      const state = { isOver: false, sent: 0 };
      const own: Outcome[] = [];
      const flood = range(inFlight).map(async () => {
        while (!state.isOver) {
          state.sent += 1;
          own.push(await ask(text, variables(state.sent), bearer(person.tokens)));
        }
      });
      const outcomes = (await Promise.all(people.map(servedRounds))).flat();
      state.isOver = true;
      await Promise.all(flood);
      const served = tally(outcomes);
      await keepResult({
        fault: `one person with ${inFlight} ${name} in flight`,
        runs: 1,
        violations: [],
        operations: [],
        defects: site.defects,
        note: `others: ${JSON.stringify(served)}; their own: ${JSON.stringify(tally(own))}`,
      });
      expect(outcomes.filter((outcome) => !outcome.endsWith(' OK')).length).toBeLessThanOrEqual(maxFailed);
      expect(site.defects).toEqual([]);
      expect(own.length).toBeGreaterThanOrEqual(inFlight);
    },
  );
});
