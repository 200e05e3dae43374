/** A thief who switches a stolen session to another organization, or to the same one, does not keep it that way. */
import { describe, expect, it } from 'vitest';
import { ageRotation, familyOf, me, refresh } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { getTenant, newOwner, runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { expectEnded } from '../support/checks/sessions.ts';
import { Browser, goodPassword, operations, register, type Tokens, tokensOf } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const switchTo = async (tokens: Tokens, id: string): Promise<Tokens> =>
  tokensOf(await runAs(service, { tokens }, operations.switchOrganization, { id }));

describe('A stolen session that has switched', () => {
  // Contract: credentials#theft-of-a-refresh-token — A replayed refresh token ends the session, also after a switch
  it('ends when the refresh token that the thief rotated is presented again', async () => {
    const { tokens, organizationId } = await newOwner(service);
    const moved = await switchTo(tokensOf(await refresh(service, tokens)), organizationId);
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
    await ageRotation(service, tokens, 11);
    expect((await refresh(service, tokens)).code).toBe('REFRESH_REFUSED');
    await expectEnded(service, moved);
    const family = await familyOf(service, tokens.refreshToken);
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
    const alarms = service.logs.filter((line) => line.includes('auth.refresh.reuse') && line.includes(family));
    expect(alarms).toHaveLength(1);
  });

  it('ends when the refresh token revoked by the switch is presented after ten seconds, and not before', async () => {
    const { tokens, organizationId, userId } = await newOwner(service);
    const other = await seedSession(service.database, userId);
    const moved = await switchTo(await switchTo(tokens, organizationId), organizationId);
    await ageRotation(service, tokens, 8);
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
    expect((await me(service, moved.accessToken)).code).toBeNull();
    await ageRotation(service, tokens, 11);
    expect((await refresh(service, tokens)).code).toBe('REFRESH_REFUSED');
    await expectEnded(service, moved);
    expect((await me(service, other.accessToken)).code).toBeNull();
  });

  // Contract: credentials#sign-in-over-old-cookies — Signing in over old cookies ends their session, also after a
  //   switch
  it('ends when its owner signs in again in the browser that it was stolen from', async () => {
    const email = await register(service);
    const browser = new Browser(service);
    const signIn = () => browser.run(operations.signIn, { input: { email, password: goodPassword } });
    await signIn();
    const stolen = { accessToken: browser.cookies.get('auth_access') ?? '', refreshToken: '' };
    const moved = await switchTo(stolen, (await getTenant(service, email)).organizationId);
    expect((await signIn()).code).toBeNull();
    await expectEnded(service, moved);
    expect((await browser.run(operations.me)).code).toBeNull();
  });
});
