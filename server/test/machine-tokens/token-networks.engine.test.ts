/** The networks that a token is used from: the first use from each is a row of the organization's audit. */
import { describe, expect, it } from 'vitest';
import { TokenNetworks } from '../../src/domain/machine-tokens/token-networks.ts';
import {
  createPersonalToken,
  createServiceAccount,
  createServiceToken,
  type Issued,
  runWith,
} from '../support/actors/machines/token-operations.ts';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const service = serviceFixture();

const networksOf = (tokenId: string): Promise<string[]> =>
  service.sql.column<string>('SELECT network FROM machine_token_networks WHERE token_id = $1 ORDER BY network', [
    tokenId,
  ]);

const auditsOf = ({ organizationId }: Tenant) =>
  service.sql<{ readonly kind: string; readonly actor: string; readonly subject: string; readonly details: string }>(
    `SELECT actor_kind AS kind, actor_id AS actor, credential_id AS credential, subject_id AS subject,
       subject_user_id AS "subjectUser", details
     FROM organization_audits WHERE organization_id = $1 AND event = 'TOKEN_USED_FROM_NEW_NETWORK' ORDER BY position`,
    [organizationId],
  );

type Holder = Parameters<TokenNetworks['note']>[0];

/** The person of a personal token. */
const holderOf = ({ userId: id }: Tenant, { token }: Issued): Holder => ({
  machine: { kind: 'PERSONAL_TOKEN', id: token.id },
  user: { id },
  credential: { id: token.credentialId },
});

describe('The first use of a token from a network', () => {
  it('is audited once with the token as its actor, also the very first use', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    expect(await auditsOf(owner)).toEqual([]);
    for (const _ of [1, 2]) {
      expect((await runWith(service, secret)).code).toBeNull();
      await service.flush();
    }
    expect(await networksOf(token.id)).toEqual(['127.0.0.0/24']);
    expect(await auditsOf(owner)).toEqual([
      {
        kind: 'PERSONAL_TOKEN',
        actor: owner.userId,
        credential: token.credentialId,
        subject: token.id,
        subjectUser: owner.userId,
        details: '{"name":"Nightly export","network":"127.0.0.0/24"}',
      },
    ]);
  });

  it('of a service account has the account as its actor', async () => {
    const owner = await newOwner(service);
    const account = await createServiceAccount(service, owner);
    const { secret, token } = await createServiceToken(service, owner, account.id);
    expect((await runWith(service, secret)).code).toBeNull();
    await service.flush();
    expect(await auditsOf(owner)).toMatchObject([
      {
        kind: 'SERVICE_ACCOUNT',
        actor: account.id,
        subject: token.id,
        subjectUser: null,
        details: '{"name":"Importer","network":"127.0.0.0/24"}',
      },
    ]);
  });

  it('is not that of a refused request, of a session, or of an address that is unknown', async () => {
    const owner = await newOwner(service);
    const issued = await createPersonalToken(service, owner);
    const { secret, token } = issued;
    await service.sql(`UPDATE organizations SET token_networks = '{192.0.2.0/24}' WHERE id = $1`, [
      owner.organizationId,
    ]);
    expect((await runWith(service, secret)).code).toBe('FORBIDDEN');
    const networks = new TokenNetworks(service.database, silentLogger);
    const holder = holderOf(owner, issued);
    networks.note({ ...holder, machine: null }, '192.0.2.1');
    networks.note(holder, null);
    networks.note(holder, 'unknown');
    await networks.flush();
    await service.flush();
    expect(await networksOf(token.id)).toEqual([]);
    expect(await auditsOf(owner)).toEqual([]);
  });
});

describe('Networks', () => {
  it('are a /24 or a /48, each once whatever process notes it, and end with the token', async () => {
    const owner = await newOwner(service);
    const issued = await createPersonalToken(service, owner);
    const { token } = issued;
    const holder = holderOf(owner, issued);
    await inParallel(range(4), 4, async () => {
      const networks = new TokenNetworks(service.database, silentLogger);
      for (const ip of ['192.0.2.7', '2001:db8:1:2::1', '192.0.2.9', '::ffff:198.51.100.1', '2001:db8:1:3::1'])
        networks.note(holder, ip);
      await networks.flush();
    });
    const expected = ['192.0.2.0/24', '198.51.100.0/24', '2001:db8:1::/48'];
    expect(await networksOf(token.id)).toEqual(expected);
    const audited = (await auditsOf(owner)).map(({ details }) => details);
    expect(audited.toSorted()).toEqual(expected.map((network) => JSON.stringify({ name: token.name, network })));
    await service.sql('DELETE FROM machine_tokens WHERE id = $1', [token.id]);
    expect(await networksOf(token.id)).toEqual([]);
    const late = new TokenNetworks(service.database, silentLogger);
    late.note(holder, '203.0.113.1');
    await late.flush();
    expect(await networksOf(token.id)).toEqual([]);
    expect(await auditsOf(owner)).toHaveLength(3);
  });

  it('that could not be written are noted at the next use', async () => {
    const owner = await newOwner(service);
    const issued = await createPersonalToken(service, owner);
    const { token } = issued;
    const holder = holderOf(owner, issued);
    const networks = new TokenNetworks(service.database, silentLogger);
    await service.sql('ALTER TABLE machine_token_networks RENAME TO networks_away');
    networks.note(holder, '192.0.2.7');
    await networks.flush();
    await service.sql('ALTER TABLE networks_away RENAME TO machine_token_networks');
    expect(await networksOf(token.id)).toEqual([]);
    networks.note(holder, '192.0.2.7');
    await networks.flush();
    expect(await networksOf(token.id)).toEqual(['192.0.2.0/24']);
  });
});
