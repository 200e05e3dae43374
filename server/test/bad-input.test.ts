/** Every field of every mutation, given what it should never be given: a clear refusal, no echo, nothing stored. */
import * as fc from 'fast-check';
import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../src/graphql/schema.ts';
import { type Answer, goodPassword, newAddress, registerAndSignIn } from './support/clients.ts';
import { type Service, startService } from './support/gatehouse.ts';
import { inviteByMail } from './support/invitations.ts';
import { type Field, mutationFields, signIn, signUp, type Target } from './support/mutation-fields.ts';
import { everythingStored, expectNoEcho, expectNothingStored } from './support/refusals.ts';
import { newSuperAdmin } from './support/tenants.ts';

let service: Service;
let target: Target;
beforeAll(async () => {
  // Port 1 never answers: nothing of what this file sends may reach the payment provider.
  service = await startService({ STRIPE_SECRET_KEY: 'sk_test_of_the_tests', STRIPE_API_BASE: 'http://127.0.0.1:1' });
  const holder = await registerAndSignIn(service);
  const { token } = await inviteByMail(service, holder.tokens, newAddress());
  const superAdmin = await newSuperAdmin(service, ['sessions:revoke', 'invitations:manage']);
  target = { url: service.url, holder, superAdmin: superAdmin.tokens, invitationToken: token };
});
afterAll(() => service.close());

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
  it('of every mutation stands in the table of fields', () => {
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
    const leaves = mutations.flatMap(({ name, args }) =>
      args.flatMap((argument) => leavesOf(argument.name, argument.type).map((leaf) => `${name}.${leaf}`)),
    );
    expect(mutationFields.map(({ name }) => name).sort()).toEqual(leaves.sort());
  });

  describe.each(mutationFields)('$name', (field) => {
    const wrongTypes = [true, 7.5, ['hunter2 secret'], { secret: 'hunter2 secret' }].filter(
      (value) => typeof value !== field.takes,
    );

    it('refuses a missing or wrongly typed value', () =>
      expectNothingStored(service, async () => {
        for (const value of [...wrongTypes, ...(field.isRequired ? [undefined, null] : [])]) {
          const answer = await field.send(target, value);
          expectNoEcho(answer);
          expect([answer.status, answer.code]).toEqual([400, 'BAD_USER_INPUT']);
          expect(answer.extensions).not.toHaveProperty('fields');
        }
      }));

    it.each(Object.entries(hostileTexts))('bears %s', async (_name, text) => {
      const work = async (): Promise<void> => expectAnswer(field, await field.send(target, text));
      await (storesNothing(field) ? expectNothingStored(service, work) : work());
    });

    it('refuses 10 MB unread', () =>
      expectNothingStored(service, async () => {
        const answer = await field.send(target, 'hunter2 '.repeat(1_310_720));
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
          const answer = await field.send(target, text);
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
      for (const answer of [
        await signUp(target, { extra: 'hunter2 secret' }),
        await signIn(target, { 'hunter2 secret': 1 }),
      ]) {
        expectNoEcho(answer);
        expect(answer.text).not.toContain('hunter2');
        expect([answer.status, answer.code]).toEqual([400, 'BAD_USER_INPUT']);
      }
    }));

  it('that is refused is named together with all others', async () => {
    const answer = await signUp(target, { email: 'hunter2', name: '\u202e', password: 'hunter2' });
    expectNoEcho(answer);
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['email', 'name', 'password']);
  });

  it('leaves nothing of its bad values in the log', () => {
    expect(service.logs.length).toBeGreaterThan(0);
    for (const text of ['hunter2', goodPassword, '😀😀']) expect(service.logs.join('\n')).not.toContain(text);
  });
});
