/** Every field of every mutation with invalid input: a clear refusal, no echo, nothing stored. */
import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { completeSchema } from '../../src/graphql/schema.ts';
import {
  everyOperation,
  type Field,
  mutationFields,
  newTarget,
  signIn,
  signUp,
} from '../support/checks/mutation-fields.ts';
import { expectNoEcho, expectNothingStored } from '../support/checks/refusals.ts';
import { type Answer, goodPassword } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { hostileTexts } from '../support/random/hostile-texts.ts';

const service = serviceFixture(everyOperation);
const target = fixture(() => newTarget(service));

/** Any text is valid as a place to return to, and the sign-up continues. */
const storesNothing = ({ name }: Field): boolean => name !== 'signUpWithPassword.redirect';

/** Names of the leaves below an argument: itself, or the fields of its input object. */
const leavesOf = (name: string, type: GraphQLInputType): string[] => {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.keys(named.getFields()) : [name];
};

const expectAnswer = ({ name, answers }: Field, answer: Answer): void => {
  expectNoEcho(answer);
  if (answers === 'fields') {
    const fields = Object.keys(answer.extensions['fields'] ?? {});
    expect([name, answer.status, answer.code, fields]).toEqual([name, 400, 'BAD_USER_INPUT', [name.split('.')[1]]]);
  } else if (answers.startsWith('"')) expect(answer.text, name).toContain(answers);
  else expect([name, answer.code]).toEqual([name, answers]);
};

describe('Every field', () => {
  // Contract: requests#any-input-is-answered — Every field of every mutation is tested
  it('of every mutation is in the table of fields', () => {
    const mutations = Object.values(completeSchema().getMutationType()?.getFields() ?? {});
    const leaves = mutations.flatMap(({ name, args }) =>
      args.flatMap((argument) => leavesOf(argument.name, argument.type).map((leaf) => `${name}.${leaf}`)),
    );
    expect(mutationFields.map(({ name }) => name).sort()).toEqual(leaves.sort());
  });

  /** Fields of this type get a value of another one. */
  const wronglyTyped = ({ takes, isRequired }: Field): readonly unknown[] => {
    const values = [true, 7.5, ['hunter2 secret'], { secret: 'hunter2 secret' }];
    return [...values.filter((value) => typeof value !== takes), ...(isRequired ? [undefined, null] : [])];
  };

  // The rows are read before all fields and after them: a row stored for any field would be found.

  // Contract: requests#texts-of-people — Missing, wrong type
  it('refuses a missing or wrongly typed value', () =>
    expectNothingStored(service, async () => {
      for (const field of mutationFields) {
        for (const value of wronglyTyped(field)) {
          const answer = await field.send(target, value);
          expectNoEcho(answer);
          expect([field.name, value, answer.status, answer.code]).toEqual([field.name, value, 400, 'BAD_USER_INPUT']);
          expect(answer.extensions).not.toHaveProperty('fields');
        }
      }
    }));

  // Contract: requests#texts-of-people — Empty, control characters, right-to-left marks, NUL, lone surrogates, very
  //   long
  it.each(Object.entries(hostileTexts))('accepts or refuses %s', async (_name, text) => {
    const send = async (field: Field): Promise<void> => expectAnswer(field, await field.send(target, text));
    await expectNothingStored(service, async () => {
      for (const field of mutationFields.filter(storesNothing)) await send(field);
    });
    for (const field of mutationFields.filter((each) => !storesNothing(each))) await send(field);
  });

  it('refuses a text larger than the maximum body', () =>
    expectNothingStored(service, async () => {
      for (const field of mutationFields) {
        const answer = await field.send(target, 'hunter2 '.repeat(12_801));
        expect([field.name, answer.status, answer.code]).toEqual([field.name, 413, 'BAD_USER_INPUT']);
      }
    }));

  // Contract: requests#size-of-a-body — 10 MB
  it('of 10 MB is refused unread', () =>
    expectNothingStored(service, async () => {
      const answer = await signUp(target, { name: 'hunter2 '.repeat(1_310_720) });
      expect([answer.status, answer.code]).toEqual([413, 'BAD_USER_INPUT']);
    }));

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

  // Contract: requests#names-of-refused-fields — Each refused field of an input is named
  it('that is invalid is reported together with all others', async () => {
    const answer = await signUp(target, { email: 'hunter2', name: '\u202e', password: 'hunter2' });
    expectNoEcho(answer);
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['email', 'name', 'password']);
  });

  // Contract: requests#no-value-is-repeated — No value reaches the log
  it('leaves nothing of its invalid values in the log', () => {
    expect(service.logs.length).toBeGreaterThan(0);
    for (const text of ['hunter2', goodPassword, '😀😀']) expect(service.logs.join('\n')).not.toContain(text);
  });
});
