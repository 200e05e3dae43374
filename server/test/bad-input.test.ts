/** Every field of every mutation, given what it should never be given: a clear refusal, no echo, nothing stored. */
import * as fc from 'fast-check';
import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../src/graphql/schema.ts';
import { newId } from '../src/kernel/ids.ts';
import {
  type Answer,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  registerAndSignIn,
  type Tokens,
} from './support/clients.ts';
import { type Service, startService } from './support/gatehouse.ts';
import { everythingStored, expectNoEcho, expectNothingStored } from './support/refusals.ts';
import { inviteByMail } from './support/tenancy.ts';

let service: Service;
let invitationToken: string;
let holder: { readonly email: string; readonly tokens: Tokens };
beforeAll(async () => {
  // Port 1 never answers: nothing of what this file sends may reach the payment provider.
  service = await startService({ STRIPE_SECRET_KEY: 'sk_test_of_the_tests', STRIPE_API_BASE: 'http://127.0.0.1:1' });
  holder = await registerAndSignIn(service);
  ({ token: invitationToken } = await inviteByMail(service, holder.tokens, newAddress()));
});
afterAll(() => service.close());

interface Field {
  /** `mutation.field` */
  readonly name: string;
  readonly isRequired: boolean;
  /** Puts a text where it passes the first glance; a field without one takes texts as they are only. */
  frame?(text: string): string;
  /** Runs the mutation with good values but for this field. */
  send(value: unknown): Promise<Answer>;
  /** What the mutation answers to a text that cannot be right: a code, `fields` naming the field, or data. */
  readonly answers: string;
}

const run = (query: string, variables: Record<string, unknown>, headers = {}): Promise<Answer> =>
  post(service.url, query, variables, headers);

const signUp = (change: object): Promise<Answer> =>
  run(operations.signUp, { input: { email: newAddress(), name: 'Test Person', password: goodPassword, ...change } });

const signIn = (change: object): Promise<Answer> =>
  run(operations.signIn, { input: { email: holder.email, password: goodPassword, ...change } });

// Neither asks for the name, which would be an echo of a good one.
const createOrganization = 'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }';
const renameOrganization = 'mutation ($name: String!) { renameOrganization(name: $name) { id } }';

/** Selects nothing of what was sent: an answer that holds it quotes it. */
const inviteUnseen = 'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }';

/** The link of an open invitation, with a vToken of the right form that is not its own. */
const complete = (change: object): Promise<Answer> => {
  const good = { invitationToken, vToken: 'A'.repeat(43), name: 'Test Person', password: goodPassword };
  return run(operations.completeInvitedProfile, { input: { ...good, ...change } });
};

const fields: readonly Field[] = [
  {
    name: 'signUpWithPassword.email',
    frame: (text) => `a${text}@example.com`,
    isRequired: true,
    send: (email) => signUp({ email }),
    answers: 'fields',
  },
  {
    name: 'signUpWithPassword.name',
    frame: (text) => `Test ${text} Person`,
    isRequired: true,
    send: (name) => signUp({ name }),
    answers: 'fields',
  },
  {
    name: 'signUpWithPassword.password',
    frame: (text) => `Aa1.${text}`,
    isRequired: true,
    send: (password) => signUp({ password }),
    answers: 'fields',
  },
  {
    name: 'signUpWithPassword.redirect',
    frame: (text) => `/${text}`,
    isRequired: false,
    send: (redirect) => signUp({ redirect }),
    answers: '"success":true',
  },
  {
    name: 'signInWithPassword.email',
    isRequired: true,
    send: (email) => signIn({ email }),
    answers: 'INVALID_CREDENTIALS',
  },
  {
    name: 'signInWithPassword.password',
    isRequired: true,
    send: (password) => signIn({ password }),
    answers: 'INVALID_CREDENTIALS',
  },
  {
    name: 'validateEmail.token',
    isRequired: true,
    send: (token) => run(operations.validate, { token }),
    answers: '"status":"INVALID"',
  },
  {
    name: 'refreshAccessToken.refreshToken',
    isRequired: false,
    send: (refreshToken) => run(operations.refresh, { ...holder.tokens, refreshToken }),
    answers: 'REFRESH_REFUSED',
  },
  {
    name: 'refreshAccessToken.accessToken',
    isRequired: false,
    send: (accessToken) => run(operations.refresh, { ...holder.tokens, accessToken }),
    answers: 'REFRESH_REFUSED',
  },
  {
    name: 'revokeMySession.sessionFamilyId',
    isRequired: true,
    send: (family) => run(operations.revokeMySession, { family }, bearer(holder.tokens)),
    answers: 'NOT_FOUND',
  },
  {
    name: 'createCheckoutSession.product',
    isRequired: true,
    send: (product) => run(operations.createCheckoutSession, { product }, bearer(holder.tokens)),
    answers: 'fields',
  },
  {
    name: 'createOrganization.name',
    frame: (text) => `Test ${text} Organization`,
    isRequired: true,
    send: (name) => run(createOrganization, { input: { name } }, bearer(holder.tokens)),
    answers: 'fields',
  },
  {
    name: 'renameOrganization.name',
    frame: (text) => `Test ${text} Organization`,
    isRequired: true,
    send: (name) => run(renameOrganization, { name }, bearer(holder.tokens)),
    answers: 'fields',
  },
  {
    name: 'switchOrganization.organizationId',
    isRequired: true,
    send: (id) => run(operations.switchOrganization, { id }, bearer(holder.tokens)),
    answers: 'NOT_FOUND',
  },
  {
    name: 'changeMemberRole.memberId',
    isRequired: true,
    send: (id) => run(operations.changeMemberRole, { id, role: 'MEMBER' }, bearer(holder.tokens)),
    answers: 'NOT_FOUND',
  },
  {
    name: 'changeMemberRole.role',
    isRequired: true,
    send: (role) => run(operations.changeMemberRole, { id: newId(), role }, bearer(holder.tokens)),
    answers: 'BAD_USER_INPUT',
  },
  {
    name: 'removeMember.memberId',
    isRequired: true,
    send: (id) => run(operations.removeMember, { id }, bearer(holder.tokens)),
    answers: 'NOT_FOUND',
  },
  {
    name: 'inviteMember.email',
    frame: (text) => `a${text}@example.com`,
    isRequired: true,
    send: (email) => run(inviteUnseen, { input: { email, role: 'MEMBER' } }, bearer(holder.tokens)),
    answers: 'fields',
  },
  {
    name: 'inviteMember.role',
    isRequired: true,
    send: (role) => run(inviteUnseen, { input: { email: newAddress(), role } }, bearer(holder.tokens)),
    answers: 'BAD_USER_INPUT',
  },
  {
    name: 'resetInvitation.memberId',
    isRequired: true,
    send: (memberId) => run(operations.resetInvitation, { memberId }, bearer(holder.tokens)),
    answers: 'NOT_FOUND',
  },
  {
    name: 'cancelInvitation.memberId',
    isRequired: true,
    send: (memberId) => run(operations.cancelInvitation, { memberId }, bearer(holder.tokens)),
    answers: 'NOT_FOUND',
  },
  {
    name: 'acceptInvitation.token',
    isRequired: true,
    send: (token) => run(operations.acceptInvitation, { token }, bearer(holder.tokens)),
    answers: 'INVITATION_NOT_OPEN',
  },
  {
    name: 'completeInvitedProfile.invitationToken',
    isRequired: true,
    send: (invitationToken) => complete({ invitationToken }),
    answers: 'INVITATION_NOT_OPEN',
  },
  {
    name: 'completeInvitedProfile.vToken',
    isRequired: true,
    send: (vToken) => complete({ vToken }),
    answers: 'INVITATION_NOT_OPEN',
  },
  {
    name: 'completeInvitedProfile.name',
    frame: (text) => `Test ${text} Person`,
    isRequired: true,
    send: (name) => complete({ name }),
    answers: 'fields',
  },
  {
    name: 'completeInvitedProfile.password',
    frame: (text) => `Aa1.${text}`,
    isRequired: true,
    send: (password) => complete({ password }),
    answers: 'fields',
  },
];

/** Mutations whose texts any text may be a good one of. */
const mayStoreNames = ({ name }: Field): boolean =>
  name.startsWith('signUp') || name.endsWith('Organization.name') || name === 'inviteMember.email';

const storesNothing = ({ name }: Field): boolean => name !== 'signUpWithPassword.redirect';

/** Names of the leaves below an argument: itself, or the fields of its input object. */
const leavesOf = (name: string, type: GraphQLInputType): string[] => {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.keys(named.getFields()) : [name];
};

const expectAnswer = ({ name, answers }: Field, answer: Answer): void => {
  expectNoEcho(answer);
  if (answers === 'fields') {
    expect([answer.status, answer.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual([name.split('.')[1]]);
  } else if (answers.startsWith('"')) expect(answer.text).toContain(answers);
  else expect(answer.code).toBe(answers);
};

/** Texts that are no name, address, password, path or token. */
const hostileTexts = {
  empty: '',
  spaces: ' \t ',
  NUL: 'hunter2\u0000secret',
  'control characters': 'hunter2\u0007\u001b[31msecret',
  'line breaks': 'hunter2\r\nBcc: secret@example.com',
  'right-to-left marks': 'hunter2\u202e\u2066secret',
  'a high surrogate alone': 'hunter2\ud83dsecret',
  'a low surrogate alone': 'hunter2\ude00secret',
  'emoji over 72 bytes': '😀'.repeat(110),
  'a very long text': 'hunter2 '.repeat(12_000),
};

describe('Every field', () => {
  it('of every mutation stands in the table of this file', () => {
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
    const leaves = mutations.flatMap(({ name, args }) =>
      args.flatMap((argument) => leavesOf(argument.name, argument.type).map((leaf) => `${name}.${leaf}`)),
    );
    expect(fields.map(({ name }) => name).sort()).toEqual(leaves.sort());
  });

  describe.each(fields)('$name', (field) => {
    const wrongTypes = [true, 7.5, ['hunter2 secret'], { secret: 'hunter2 secret' }];

    it('refuses a missing or wrongly typed value', () =>
      expectNothingStored(service, async () => {
        for (const value of [...wrongTypes, ...(field.isRequired ? [undefined, null] : [])]) {
          const answer = await field.send(value);
          expectNoEcho(answer);
          expect([answer.status, answer.code]).toEqual([400, 'BAD_USER_INPUT']);
          expect(answer.extensions).not.toHaveProperty('fields');
        }
      }));

    it.each(Object.entries(hostileTexts))('bears %s', async (_name, text) => {
      const work = async (): Promise<void> => expectAnswer(field, await field.send(text));
      await (storesNothing(field) ? expectNothingStored(service, work) : work());
    });

    it('refuses 10 MB unread', () =>
      expectNothingStored(service, async () => {
        const answer = await field.send('hunter2 '.repeat(1_310_720));
        expect([answer.status, answer.code]).toEqual([413, 'BAD_USER_INPUT']);
      }));

    it('bears any text at all', async () => {
      const anyText = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
        fc.string({ unit: 'grapheme', maxLength: 120 }),
      );
      const hostile = Object.values(hostileTexts).map((text): [string, boolean] => [text, true]);
      let stored = await everythingStored(service);
      await fc.assert(
        fc.asyncProperty(anyText, fc.boolean(), async (bare, isFramed) => {
          const text = isFramed ? (field.frame?.(bare) ?? bare) : bare;
          const answer = await field.send(text);
          expect(answer.status).toBeLessThan(500);
          expectNoEcho(answer);
          const after = await everythingStored(service);
          if (answer.code !== null || !mayStoreNames(field)) expect(after).toEqual(stored);
          stored = after;
        }),
        { numRuns: 25 + hostile.length, examples: hostile },
      );
    });
  });

  it('unknown to an input is refused', () =>
    expectNothingStored(service, async () => {
      for (const answer of [await signUp({ extra: 'hunter2 secret' }), await signIn({ 'hunter2 secret': 1 })]) {
        expectNoEcho(answer);
        expect(answer.text).not.toContain('hunter2');
        expect([answer.status, answer.code]).toEqual([400, 'BAD_USER_INPUT']);
      }
    }));

  it('that is refused is named together with all others', async () => {
    const answer = await signUp({ email: 'hunter2', name: '\u202e', password: 'hunter2' });
    expectNoEcho(answer);
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['email', 'name', 'password']);
  });

  it('leaves nothing of its bad values in the log', () => {
    expect(service.logs.length).toBeGreaterThan(0);
    for (const text of ['hunter2', goodPassword, '😀😀']) expect(service.logs.join('\n')).not.toContain(text);
  });
});
