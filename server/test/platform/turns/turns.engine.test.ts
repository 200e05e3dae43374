/** One person, or one organization, that sends many changes at once: those of all others go on meanwhile. */
import { describe, expect, it } from 'vitest';
import { statement } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { type Party, withContext, workInProgress } from '../../../src/platform/observability/context.ts';
import { me, refresh } from '../../support/actors/credentials.ts';
import { accept, inviteByMail, submitProfile } from '../../support/actors/invitations.ts';
import { createSuperAdminAccount } from '../../support/actors/super-admins.ts';
import { newMember, newOwner, newSuperAdmin, runAs, type Tenant } from '../../support/actors/tenants.ts';
import { type Outcome, outcomeOf, range, tally, until } from '../../support/checks/concurrency.ts';
import {
  answerIn,
  beginAuthorization,
  csrfTokenIn,
  PageBrowser,
  registerClient,
} from '../../support/clients/authorization.ts';
import {
  type Answer,
  bearer,
  newAddress,
  operations,
  register,
  signIn,
  tokensOf,
} from '../../support/clients/clients.ts';
import { connect, newClient, newCode, redeem, refreshAs } from '../../support/clients/oauth.ts';
import { askLikeFetch } from '../../support/clients/plain-http.ts';
import { ProviderBrowser, signInAtProvider } from '../../support/clients/provider-browser.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { embedded, embeddedOnly, isOnPostgres, postgresOnly } from '../../support/database/engines.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { fixture } from '../../support/fixture.ts';
import { serviceFixture } from '../../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { startIdentityProvider } from '../../support/servers/identity-provider.ts';

/** More than the pool has connections. */
const many = 20;

describe('A change counts for', () => {
  const provider = fixture(startIdentityProvider);
  // With seats: an acceptance locks the organization.
  const service = serviceFixture(() => provider.environment(), 'none', {
    application: { products: { free: { members: 100 } } },
  });

  /** The party of the first transaction, or by default also of the first statement of one row, which `work` makes. */
  const partyIn = async (work: () => Promise<unknown>, of: 'use' | 'transaction' = 'use'): Promise<Partial<Party>> => {
    const { database } = service;
    const transaction: typeof database.transaction = database.transaction.bind(database);
    const maybeOne: typeof database.maybeOne = database.maybeOne.bind(database);
    let party: Partial<Party> | undefined;
    const note = (): void => {
      const known = workInProgress()?.party;
      if (known !== undefined) party ??= { ...known };
    };
    database.transaction = (run) => {
      note();
      return transaction(run);
    };
    database.maybeOne = (statement, params) => {
      if (of === 'use') note();
      return maybeOne(statement, params);
    };
    await work().finally(() => Object.assign(database, { transaction, maybeOne }));
    return party ?? {};
  };
  const network = '127.0.0.1';

  it('the person, and for the organization that it changes', async () => {
    const { userId, organizationId, ...owner } = await newOwner(service);
    const tenant = { userId, organizationId, ...owner };
    expect(await partyIn(() => runAs(service, tenant, operations.changeName, { name: 'Anew' }))).toEqual({
      network,
      person: userId,
      organization: null,
      signsIn: false,
    });
    expect(await partyIn(() => runAs(service, tenant, operations.renameOrganization, { name: 'Anew' }))).toEqual({
      network,
      person: userId,
      organization: organizationId,
      signsIn: false,
    });
  });

  it('the organization of an invitation that a person accepts, or completes a profile by', async () => {
    const { tokens, organizationId } = await newOwner(service);
    const person = await newOwner(service);
    const { token } = await inviteByMail(service, tokens, person.email);
    let answer: Answer | undefined;
    const accepting = await partyIn(async () => {
      answer = await accept(service, person.tokens, token);
    }, 'transaction');
    expect([answer?.code, accepting]).toEqual([
      null,
      { network, person: person.userId, organization: organizationId, signsIn: false },
    ]);
    const invited = await inviteByMail(service, tokens, newAddress());
    const completing = await partyIn(async () => {
      answer = await submitProfile(service, invited.token);
    }, 'transaction');
    expect([answer?.code, completing]).toEqual([
      null,
      { network, person: null, organization: organizationId, signsIn: false },
    ]);
  });

  const signIns = { network, person: null, organization: null, signsIn: true };

  it('the network of a sign-in', async () => {
    const email = await register(service);
    expect(await partyIn(() => signIn(service, email))).toEqual(signIns);
  });

  it('the network of a sign-in by a provider', async () => {
    const browser = new ProviderBrowser();
    const callback = await signInAtProvider(browser, `${service.url}/auth/google`, provider.newPerson());
    let location: string | null = null;
    const party = await partyIn(async () => {
      ({ location } = await browser.get(callback));
    });
    expect(location).toContain('oauth_exchange=1');
    expect(party).toEqual(signIns);
  });

  it('the person who prepares a link to a provider, beside the rest of their work', async () => {
    const { userId, tokens } = await newOwner(service);
    const url = `${service.url}/auth/google/prepare-link`;
    const party = await partyIn(() => askLikeFetch(url, { headers: bearer(tokens) }));
    expect(party).toEqual({ ...signIns, person: userId });
  });

  it('the network of a client that redeems a code, or refreshes', async () => {
    const { userId } = await newSuperAdmin(service);
    const code = await newCode(service, { clientId: await newClient(service), userId });
    let status = 0;
    const redeeming = await partyIn(async () => {
      ({ status } = await redeem(service, code));
    });
    expect([status, redeeming]).toEqual([200, signIns]);
    const connection = await connect(service, ['mcp:whoami']);
    const refreshing = await partyIn(async () => {
      ({ status } = await refreshAs(service, connection));
    });
    expect([status, refreshing]).toEqual([200, signIns]);
  });

  it('the person who connects a client, beside the rest of their work', async () => {
    const clientId = await registerClient(service);
    const browser = new PageBrowser(service);
    let path = '';
    const asking = await partyIn(async () => {
      path = await beginAuthorization(browser, clientId);
    });
    expect(asking).toEqual(signIns);
    const email = await createSuperAdminAccount(service);
    const userId = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    await browser.signIn(service, email);
    const csrf = csrfTokenIn(await browser.get(path));
    let location: string | null = null;
    const answering = await partyIn(async () => {
      ({ location } = await browser.post(path, { decision: 'approve', csrf_token: csrf }));
    }, 'transaction');
    expect(answerIn(location)).toHaveProperty('code');
    expect(answering).toEqual({ ...signIns, person: userId });
  });

  it('the person whose new pair is used for the first time, beside the rest of their work', async () => {
    const { userId, tokens } = await newOwner(service);
    const fresh = tokensOf(await refresh(service, tokens));
    expect(await partyIn(() => me(service, fresh.accessToken))).toEqual({ ...signIns, person: userId });
  });
});

describe.runIf(isOnPostgres)(`While the row of many changes is locked${postgresOnly}`, () => {
  const service = serviceFixture();

  const rename = async (person: Tenant, name: string): Promise<Outcome> =>
    outcomeOf(await runAs(service, person, operations.changeName, { name }));

  /** Holds a row from the first test of `work` to its end. */
  const whileLocked = async (table: string, id: string, work: () => Promise<void>): Promise<void> => {
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = service.database.transaction(async (transaction) => {
      const sql = sqlOn(transaction);
      await sql('SET LOCAL idle_in_transaction_session_timeout TO 0');
      await sql(`SELECT id FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
      held.resolve();
      await release.promise;
    });
    await Promise.race([held.promise, holder]);
    await work().finally(() => release.resolve());
    await holder;
  };

  /** Sessions of this database that wait for a lock. */
  const waitingForLocks = async (): Promise<number> =>
    (
      await service.sql(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    ).length;

  /** All of these wait: two in the database, the others before they take a connection. */
  const untilAllWait = (): Promise<void> =>
    until('all changes wait', async () => service.database.stats()?.turns.heldBack === many - 2);

  const readiness = async (): Promise<unknown> => (await fetch(`${service.url}/readyz`)).json();

  const expectOthersServed = async (other: Tenant): Promise<void> => {
    const email = await register(service);
    expect((await signIn(service, email)).accessToken).not.toBe('');
    expect((await me(service, other.tokens.accessToken)).code).toBeNull();
    expect(await rename(other, 'Another Person')).toBe('OK');
    expect(await waitingForLocks()).toBe(2);
    expect(service.database.stats()?.pool).toMatchObject({ waiting: 0 });
    expect(await readiness()).toMatchObject({ status: 'ok', checks: { turns: 'held_back' } });
    expect(await (await fetch(`${service.url}/metrics`)).text()).toContain(
      `gatehouse_database_held_back ${many - 2}\n`,
    );
  };

  it('two of one person have a connection, and sign-ins and changes of others succeed', async () => {
    const [person, other] = [await newOwner(service), await newOwner(service)];
    const changes: Promise<Outcome>[] = [];
    await whileLocked('users', person.userId, async () => {
      changes.push(...range(many).map((nth) => rename(person, `Person ${nth}`)));
      await untilAllWait();
      await expectOthersServed(other);
    });
    expect(tally(await Promise.all(changes))).toEqual({ OK: many });
    expect(service.database.stats()).toMatchObject({ turns: { heldBack: 0, refused: 0 }, pool: { waiting: 0 } });
  });

  it('two of one organization have a connection, also those of different people', async () => {
    const [owner, other] = [await newOwner(service), await newOwner(service)];
    const { organizationId } = owner;
    const owners = await Promise.all(range(many - 1).map(() => newMember(service, organizationId, 'OWNER')));
    const changes: Promise<Outcome>[] = [];
    await whileLocked('organizations', organizationId, async () => {
      changes.push(
        ...[owner, ...owners].map(async (person, nth) =>
          outcomeOf(await runAs(service, person, operations.renameOrganization, { name: `Organization ${nth}` })),
        ),
      );
      await untilAllWait();
      await expectOthersServed(other);
    });
    expect(tally(await Promise.all(changes))).toEqual({ OK: many });
  });
});

describe.runIf(embedded)(`Transactions that wait for the session of the embedded engine${embeddedOnly}`, () => {
  const stored = fixture(createTestDatabase, (created) => created.drop());
  const database = fixture(() =>
    openDatabase({ url: undefined, dataDirectory: stored.dataDirectory, logger: silentLogger }),
  );
  const one = statement<{ one: number }>('test.one', 'SELECT 1 AS one');

  const as = <T>(person: string, work: () => Promise<T>): Promise<T> => {
    const party = { network: '192.0.2.1', person, organization: null, signsIn: false };
    return withContext({ correlationId: person, party }, work);
  };

  it('take turns: one person does not go before another who came later', async () => {
    const order: string[] = [];
    const transact = (name: string): Promise<void> =>
      database.transaction(async (transaction) => {
        await transaction.one(one, []);
        order.push(name);
      });
    const all = Promise.all([
      ...range(4).map((nth) => as('a', () => transact(`a${nth}`))),
      as('b', () => transact('b')),
      as('b', () => database.one(one, []).then(() => order.push('a statement of b'))),
    ]);
    expect(database.stats()).toEqual({ turns: { heldBack: 3, refused: 0 } });
    await all;
    expect(order).toEqual(['a0', 'a1', 'b', 'a2', 'a statement of b', 'a3']);
    expect(database.stats()).toEqual({ turns: { heldBack: 0, refused: 0 } });
  });

  it('are all served before the database closes, and later ones are refused', async () => {
    const closing = await openDatabase({ url: undefined, dataDirectory: 'memory:', logger: silentLogger });
    const order: string[] = [];
    const transact = (name: string): Promise<void> =>
      closing.transaction(async () => {
        order.push(name);
      });
    const begun = [...range(3).map((nth) => as('a', () => transact(`a${nth}`))), as('b', () => transact('b'))];
    const closed = closing.close();
    await expect(as('c', () => transact('c'))).rejects.toThrow('closed');
    await Promise.all([...begun, closed]);
    expect(order).toEqual(['a0', 'a1', 'b', 'a2']);
  });
});
