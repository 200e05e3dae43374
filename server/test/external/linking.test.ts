/** Linking: an identity of the outside provider becomes a way to sign in to the account of who is signed in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExternalRefusalCode } from '../../src/domain/external-sign-in/attempt.ts';
import type { ProvidedIdentity } from '../../src/platform/oidc/identity-provider.ts';
import { expire, familyOf } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { bearer, newAddress, operations, post, registerAndSignIn, type Tokens } from '../support/clients/clients.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { limitsOn } from '../support/gatehouse/rate-limits.ts';
import { comeIn, identitiesOf, issuer, link, newIdentity, providerSettings } from '../support/servers/external.ts';

let service: Service;
beforeAll(async () => {
  service = await startService(providerSettings);
});
afterAll(() => service.close());

/** What was prepared in the session of these tokens, and comes back where these cookies are: by default that session's. */
const requestOf = async (
  person: Pick<Tenant, 'userId' | 'tokens'>,
  presented: readonly string[] = bothOf(person.tokens),
) => ({
  userId: person.userId,
  sessionFamilyId: await familyOf(service, person.tokens.refreshToken),
  presentedTokens: presented,
});

const bothOf = ({ accessToken, refreshToken }: Tokens): string[] => [accessToken, refreshToken];

/** Refused with this code, and nothing is stored, mailed or logged as done. */
const expectLinkRefusal = async (
  code: ExternalRefusalCode,
  request: Awaited<ReturnType<typeof requestOf>>,
  identity: ProvidedIdentity,
): Promise<void> => {
  const refusal = expect.objectContaining({ name: 'ExternalRefusal', code }) as unknown;
  await expectNothingStored(service, () => expect(link(service, request, identity)).rejects.toEqual(refusal));
};

const signInsBy = async (identity: ProvidedIdentity): Promise<string> => (await comeIn(service, identity)).user.email;

describe('Linking', () => {
  it('lets an identity of any address sign in to the account from then on, and tells the person', async () => {
    const person = await registerAndSignIn(service);
    const tenant = { userId: await idOf(person.email), tokens: person.tokens };
    const identity = newIdentity({ name: 'Another Name' });
    await link(service, await requestOf(tenant, bothOf(person.tokens)), identity);
    expect(await identitiesOf(service, person.email)).toEqual([`${issuer} ${identity.subject} ${identity.email}`]);
    expect(await signInsBy(identity)).toBe(person.email);
    const [mail] = await service.mailsTo(person.email);
    expect(mail?.subject).toBe('You can now sign in with Example ID');
    expect(mail?.text).toContain('by somebody who was signed in to it');
    expect(mail?.text).toMatch(/On \d{1,2} \w+ \d{4} at \d{2}:\d{2} UTC/);
    expect(mail?.text).not.toMatch(/reset/i);
    expect(await service.mailsTo(identity.email ?? '')).toEqual([]);
    const own = await post(
      service.url,
      `{ me { name hasPassword externalIdentity { email linkedAt } } }`,
      {},
      bearer(person.tokens),
    );
    expect(own.data).toEqual({
      me: {
        name: 'Test Person',
        hasPassword: true,
        externalIdentity: { email: identity.email, linkedAt: expect.any(String) as unknown },
      },
    });
  });

  it('takes an identity without an address that the provider vouches for', async () => {
    for (const change of [
      { email: null },
      { email: 'nobody' },
      { isEmailVerified: false },
      { isEmailAuthoritative: false },
    ]) {
      const person = await newOwner(service);
      const identity = newIdentity(change);
      await link(service, await requestOf(person), identity);
      expect(await signInsBy(identity)).toBe(person.email);
    }
  });

  it('of what is linked already changes nothing and mails nothing', async () => {
    const [person, identity] = [await newOwner(service), newIdentity()];
    const request = await requestOf(person);
    await link(service, request, identity);
    await expectNothingStored(service, () => link(service, request, { ...identity, email: newAddress(), name: 'New' }));
  });

  it('goes on when the session refreshed or switched to another organization meanwhile', async () => {
    const person = await newOwner(service);
    const request = await requestOf(person);
    await post(service.url, operations.createOrganization, { input: { name: 'Another' } }, bearer(person.tokens));
    const [row] = await service.sql<{ id: string }>(
      `SELECT organization_id AS id FROM organization_members WHERE user_id = $1 AND organization_id <> $2`,
      [person.userId, person.organizationId],
    );
    const switched = await post(service.url, operations.switchOrganization, { id: row?.id }, bearer(person.tokens));
    expect(switched.code).toBeNull();
    const identity = newIdentity();
    await link(service, request, identity);
    expect(await signInsBy(identity)).toBe(person.email);
  });

  it('is refused when the session that prepared it has ended', async () => {
    const endings = [
      (person: Tenant) => post(service.url, operations.signOut, {}, bearer(person.tokens)),
      (person: Tenant) => post(service.url, operations.signOutEverywhere, {}, bearer(person.tokens)),
    ];
    for (const end of endings) {
      const person = await newOwner(service);
      const request = await requestOf(person, bothOf(person.tokens));
      await end(person);
      // Another session of theirs is not the one that prepared it.
      const other = await seedSession(service.database, person.userId);
      await expectLinkRefusal('LINK_SESSION_OVER', { ...request, presentedTokens: bothOf(other) }, newIdentity());
    }
  });

  it('is refused when it is somebody else’s session, or no session at all', async () => {
    const [person, other] = [await newOwner(service), await newOwner(service)];
    const request = await requestOf(person);
    await expectLinkRefusal('LINK_SESSION_OVER', { ...request, userId: other.userId }, newIdentity());
    await expectLinkRefusal('LINK_SESSION_OVER', { ...request, sessionFamilyId: other.userId }, newIdentity());
  });

  it('is refused where somebody else is signed in by now, also when their access token has run out', async () => {
    const [person, other] = [await newOwner(service), await newOwner(service)];
    for (const presented of [bothOf(other.tokens), [other.tokens.accessToken], [other.tokens.refreshToken]]) {
      await expectLinkRefusal('LINK_SESSION_OVER', await requestOf(person, presented), newIdentity());
    }
    await expire(service, other.tokens.accessToken);
    const request = await requestOf(person, bothOf(other.tokens));
    await expectLinkRefusal('LINK_SESSION_OVER', request, newIdentity());
    await post(service.url, operations.refresh, { ...other.tokens });
    await expectLinkRefusal('LINK_SESSION_OVER', request, newIdentity());
  });

  it('is refused for an identity of another account', async () => {
    const [person, identity] = [await newOwner(service), newIdentity()];
    const owner = await signInsBy(identity);
    await expectLinkRefusal('IDENTITY_TAKEN', await requestOf(person), identity);
    expect(await signInsBy(identity)).toBe(owner);
  });

  it('is refused for a second identity of the same issuer, and not for one of another', async () => {
    const person = await newOwner(service);
    const request = await requestOf(person);
    await link(service, request, newIdentity());
    await expectLinkRefusal('ACCOUNT_HAS_OTHER_IDENTITY', request, newIdentity());
    const elsewhere = newIdentity({ issuer: 'https://other.example' });
    await link(service, request, elsewhere);
    expect(await signInsBy(elsewhere)).toBe(person.email);
  });

  it('takes ten turns of a person at once, and no more', async () => {
    const limits = limitsOn(service, service.database);
    const [person, other] = [await newOwner(service), await newOwner(service)];
    const request = await requestOf(person);
    const identity = newIdentity();
    for (let turn = 0; turn < 10; turn += 1) await link(service, request, identity, limits);
    const refusal = expect.objectContaining({ name: 'ExternalRefusal', code: 'RATE_LIMITED' }) as unknown;
    await expectNothingStored(service, () => expect(link(service, request, identity, limits)).rejects.toEqual(refusal));
    await link(service, await requestOf(other), newIdentity(), limits);
  });
});

const idOf = async (email: string): Promise<string> => {
  const [row] = await service.sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
  return row?.id ?? '';
};
