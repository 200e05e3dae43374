/** Linking: an identity of the external provider becomes a sign-in method of the signed-in user's account. */
import { describe, expect, it } from 'vitest';
import type { ExternalRefusalCode } from '../../src/kernel/errors.ts';
import type { ProvidedIdentity } from '../../src/platform/oidc/identity-provider.ts';
import { expire, familyOf } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { newAddress, operations, post, registerAndSignIn, type Tokens } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { limitsOn } from '../support/gatehouse/rate-limits.ts';
import {
  identitiesOf,
  issuer,
  link,
  newIdentity,
  providerSettings,
  signInExternally,
} from '../support/servers/external.ts';

const service = serviceFixture(providerSettings);

/** A link prepared in the session of these tokens that returns with these cookies: by default those of that session. */
const requestOf = async (
  person: Pick<Tenant, 'userId' | 'tokens'>,
  presented: readonly string[] = bothOf(person.tokens),
) => ({
  userId: person.userId,
  sessionFamilyId: await familyOf(service, person.tokens.refreshToken),
  presentedTokens: presented,
});

const bothOf = ({ accessToken, refreshToken }: Tokens): string[] => [accessToken, refreshToken];

/** Expects a refusal with this code: nothing is stored, mailed or logged as done. */
const expectLinkRefusal = async (
  code: ExternalRefusalCode,
  request: Awaited<ReturnType<typeof requestOf>>,
  identity: ProvidedIdentity,
): Promise<void> => {
  const refusal = expect.objectContaining({ name: 'Refusal', code }) as unknown;
  await expectNothingStored(service, () => expect(link(service, request, identity)).rejects.toEqual(refusal));
};

const signInsBy = async (identity: ProvidedIdentity): Promise<string> =>
  (await signInExternally(service, identity)).user.email;

describe('Linking', () => {
  it('allows sign-in to the account with an identity of any address from then on, and mails the user', async () => {
    const person = await registerAndSignIn(service);
    const tenant = { userId: await idOf(person.email), tokens: person.tokens };
    const identity = newIdentity({ name: 'Another Name' });
    await link(service, await requestOf(tenant, bothOf(person.tokens)), identity);
    expect(await identitiesOf(service, person.email)).toEqual([`${issuer} ${identity.subject} ${identity.email}`]);
    expect(await signInsBy(identity)).toBe(person.email);
    const [mail] = await service.mailsTo(person.email);
    expect(mail?.subject).toBe('You can now sign in with Example ID');
    expect(mail?.text).toContain('from a session that was signed in to your account');
    expect(mail?.text).toMatch(/On \d{1,2} \w+ \d{4} at \d{2}:\d{2} UTC/);
    expect(mail?.text).not.toMatch(/reset/i);
    expect(await service.mailsTo(identity.email ?? '')).toEqual([]);
    const own = await runAs(service, person, `{ me { name hasPassword externalIdentity { email linkedAt } } }`);
    expect(own.data).toEqual({
      me: {
        name: 'Test Person',
        hasPassword: true,
        externalIdentity: { email: identity.email, linkedAt: expect.any(String) as unknown },
      },
    });
  });

  it('accepts an identity without an address that the provider vouches for', async () => {
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

  it('of a linked identity changes nothing and mails nothing', async () => {
    const [person, identity] = [await newOwner(service), newIdentity()];
    const request = await requestOf(person);
    await link(service, request, identity);
    await expectNothingStored(service, () => link(service, request, { ...identity, email: newAddress(), name: 'New' }));
  });

  it('continues when the session was refreshed or switched to another organization', async () => {
    const person = await newOwner(service);
    const request = await requestOf(person);
    await runAs(service, person, operations.createOrganization, { input: { name: 'Another' } });
    const id = await service.sql.value<string>(
      `SELECT organization_id AS id FROM organization_members WHERE user_id = $1 AND organization_id <> $2`,
      [person.userId, person.organizationId],
    );
    const switched = await runAs(service, person, operations.switchOrganization, { id });
    expect(switched.code).toBeNull();
    const identity = newIdentity();
    await link(service, request, identity);
    expect(await signInsBy(identity)).toBe(person.email);
  });

  it('is refused when the session that prepared it has ended', async () => {
    const endings = [
      (person: Tenant) => runAs(service, person, operations.signOut),
      (person: Tenant) => runAs(service, person, operations.signOutEverywhere),
    ];
    for (const end of endings) {
      const person = await newOwner(service);
      const request = await requestOf(person, bothOf(person.tokens));
      await end(person);
      // Another session of the same user did not prepare it.
      const other = await seedSession(service.database, person.userId);
      await expectLinkRefusal('LINK_SESSION_OVER', { ...request, presentedTokens: bothOf(other) }, newIdentity());
    }
  });

  it('is refused with the session of another user, or without one', async () => {
    const [person, other] = [await newOwner(service), await newOwner(service)];
    const request = await requestOf(person);
    await expectLinkRefusal('LINK_SESSION_OVER', { ...request, userId: other.userId }, newIdentity());
    await expectLinkRefusal('LINK_SESSION_OVER', { ...request, sessionFamilyId: other.userId }, newIdentity());
  });

  it('is refused when another user has signed in, even with an expired access token', async () => {
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

  it('is refused for a second identity of the same issuer, and accepted for one of another', async () => {
    const person = await newOwner(service);
    const request = await requestOf(person);
    await link(service, request, newIdentity());
    await expectLinkRefusal('ACCOUNT_HAS_OTHER_IDENTITY', request, newIdentity());
    const elsewhere = newIdentity({ issuer: 'https://other.example' });
    await link(service, request, elsewhere);
    expect(await signInsBy(elsewhere)).toBe(person.email);
  });

  it('allows ten links at once at most', async () => {
    const limits = limitsOn(service, service.database);
    const [person, other] = [await newOwner(service), await newOwner(service)];
    const request = await requestOf(person);
    const identity = newIdentity();
    for (let turn = 0; turn < 10; turn += 1) await link(service, request, identity, limits);
    const refusal = expect.objectContaining({ name: 'Refusal', code: 'RATE_LIMITED' }) as unknown;
    await expectNothingStored(service, () => expect(link(service, request, identity, limits)).rejects.toEqual(refusal));
    await link(service, await requestOf(other), newIdentity(), limits);
  });
});

const idOf = async (email: string): Promise<string> =>
  (await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email])) ?? '';
