/** Mails about tokens: to their owners, and to those who manage the tokens of an organization. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { ageAuthentication } from '../support/actors/credentials.ts';
import {
  createPersonalToken,
  createServiceAccount,
  createServiceToken,
  dataOf,
  inDays,
  plainToken,
  rotate,
  type ShownToken,
  setPolicy,
  tokenOperations,
} from '../support/actors/machines/token-operations.ts';
import { newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

/** As many people of an organization get a mail. */
const mostManagersTold = 50;

interface Told {
  readonly subject: string;
  readonly text: string;
}

/** The mails about tokens that a person got, oldest first. */
const toldOf = async ({ email }: Pick<Tenant, 'email'>): Promise<readonly Told[]> => {
  const mails = await service.mailsTo(email);
  // Without the characters that keep an address from becoming a link.
  return mails.map(({ subject, text }) => ({ subject, text: text.replaceAll('\u2060', '') }));
};

const subjectsTo = async (person: Pick<Tenant, 'email'>): Promise<string[]> =>
  (await toldOf(person)).map(({ subject }) => subject).toSorted();

const organizationOf = ({ organizationId }: Tenant): Promise<string | null | undefined> =>
  service.sql.value<string>('SELECT name FROM organizations WHERE id = $1', [organizationId]);

const decide = (person: Tenant, id: string, approve: boolean) =>
  runAs(service, person, tokenOperations.decideToken, { id, approve });

describe('A personal token', () => {
  it('that waits is told of to the others who decide on it, with the way to it', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    await setPolicy(service, owner, { personalTokens: 'APPROVAL' });
    await createPersonalToken(service, admin);
    const waiting = `A personal token waits for approval in “${(await organizationOf(owner)) ?? ''}”`;
    expect(await subjectsTo(owner)).toContain(waiting);
    expect(await subjectsTo(admin)).not.toContain(waiting);
    const [mail] = (await toldOf(owner)).filter(({ subject }) => subject === waiting);
    expect(mail?.text).toContain('/organization/tokens?status=PENDING');
  });

  // Contract: machine-credentials#mails-about-tokens — The owner of a personal token gets a mail when it is created or
  //   rotated
  it('is told of to its owner alone when it is created and rotated, without any part of a secret', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const first = await createPersonalToken(service, member);
    const second = dataOf<{ secret: string; token: ShownToken }>(
      await rotate(service, member, { tokenId: first.token.id }),
    );
    const mails = await toldOf(member);
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      'The personal token “Nightly export” has a new secret',
      'The personal token “Nightly export” was created',
    ]);
    for (const { text } of mails) {
      expect(text).toContain(`${service.config.frontendUrl}/account/tokens`);
      expect(text).toContain('from the address 127.0.0.1');
      for (const secret of [first.secret, second.secret]) {
        expect(text).not.toContain(secret.slice(0, 12));
        expect(text).not.toContain(secret.slice(-4));
      }
    }
    expect(await subjectsTo(owner)).toEqual([]);
  });

  it('is told of in no mail when its creation is refused', async () => {
    const owner = await newOwner(service);
    await ageAuthentication(service, owner.tokens.accessToken, '11 minutes');
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () =>
      runAs(service, owner, tokenOperations.createPersonalToken, { input: plainToken }),
    );
    expect(await subjectsTo(owner)).toEqual([]);
  });

  it('that waits is told of to those who manage tokens, and its owner learns the decision', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const member = await newMember(service, owner.organizationId);
    const other = await newMember(service, owner.organizationId);
    await setPolicy(service, owner, { personalTokens: 'APPROVAL' });
    const approved = await createPersonalToken(service, member, { name: 'Good' });
    const refused = await createPersonalToken(service, member, { name: 'Bad' });
    await decide(admin, approved.token.id, true);
    await decide(owner, refused.token.id, false);
    const [organization] = await service.sql<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
      owner.organizationId,
    ]);
    const waits = `A personal token waits for approval in “${organization?.name}”`;
    for (const manager of [owner, admin]) {
      expect(await subjectsTo(manager)).toEqual([
        waits,
        waits,
        `The policy for tokens was changed in “${organization?.name}”`,
      ]);
    }
    const [waiting] = (await toldOf(admin)).filter(({ subject }) => subject === waits);
    expect(waiting?.text).toContain(`(${member.email}) created the personal token`);
    expect(waiting?.text).toContain(`${service.config.frontendUrl}/organization/tokens`);
    expect(await subjectsTo(member)).toEqual([
      'The personal token “Bad” was created',
      'The personal token “Bad” was refused',
      'The personal token “Good” was approved',
      'The personal token “Good” was created',
    ]);
    const created = (await toldOf(member)).filter(({ subject }) => subject.endsWith('was created'));
    for (const { text } of created) expect(text).toContain('until a person who manages tokens there approves it');
    expect(await subjectsTo(other)).toEqual([]);
    await expectRefusal(service, 'NOT_FOUND', () => decide(owner, approved.token.id, true));
    expect(await subjectsTo(member)).toHaveLength(4);
  });
});

describe('Those who manage tokens', () => {
  it('are told of service tokens and of scopes that are added, and not of those that are removed', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const member = await newMember(service, owner.organizationId);
    const account = await createServiceAccount(service, admin);
    const { token } = await createServiceToken(service, admin, account.id);
    await rotate(service, owner, { tokenId: token.id });
    const update = (scopes: readonly string[]) =>
      runAs(service, owner, tokenOperations.updateServiceAccount, { input: { serviceAccountId: account.id, scopes } });
    await update(['MEMBERS_VIEW', 'MEMBERS_INVITE']);
    await update(['MEMBERS_VIEW']);
    for (const manager of [owner, admin]) {
      expect(await subjectsTo(manager)).toEqual([
        'A token of the service account “Importer” has a new secret',
        'A token of the service account “Importer” was created',
        'The service account “Importer” may do more',
      ]);
    }
    const [added] = (await toldOf(admin)).filter(({ subject }) => subject.endsWith('may do more'));
    expect(added?.text).toContain('further scopes: MEMBERS_INVITE.');
    expect(await subjectsTo(member)).toEqual([]);
  });

  it('are those whose role and plan grant it, who joined and are not suspended', async () => {
    const owner = await newOwner(service);
    const suspended = await newMember(service, owner.organizationId, 'ADMIN');
    await service.sql('UPDATE users SET suspended_at = now() WHERE id = $1', [suspended.userId]);
    const elsewhere = await newOwner(service);
    await setPolicy(service, owner, { maxTokenLifetimeDays: 90 });
    await setPolicy(service, owner, { maxTokenLifetimeDays: 90 });
    expect(await subjectsTo(owner)).toHaveLength(1);
    expect(await subjectsTo(suspended)).toEqual([]);
    expect(await subjectsTo(elsewhere)).toEqual([]);
  });

  it('are told up to a number, owners first', async () => {
    const owner = await newOwner(service);
    const ids = Array.from({ length: mostManagersTold + 5 }, () => newId());
    await service.sql(
      `WITH people AS (INSERT INTO users (id, email, name, email_validated_at)
         SELECT id, id || '@managers.example.com', 'M', now() FROM unnest($1::uuid[]) AS n (id))
       INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
       SELECT gen_random_uuid(), n.id, $2, 'ADMIN', now() - interval '1 day' FROM unnest($1::uuid[]) AS n (id)`,
      [ids, owner.organizationId],
    );
    await setPolicy(service, owner, { personalTokens: 'FORBIDDEN' });
    expect(await subjectsTo(owner)).toHaveLength(1);
    const told = await Promise.all(ids.map((id) => subjectsTo({ email: `${id}@managers.example.com` })));
    expect(told.filter((subjects) => subjects.length > 0)).toHaveLength(mostManagersTold - 1);
  });
});

it('No mail is left for a token that is created a second later than it expires', async () => {
  const owner = await newOwner(service);
  await expectRefusal(service, 'BAD_USER_INPUT', () =>
    runAs(service, owner, tokenOperations.createPersonalToken, { input: { ...plainToken, expiresAt: inDays(-1) } }),
  );
  expect(await subjectsTo(owner)).toEqual([]);
});
