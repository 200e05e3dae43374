/** Every field of every mutation with invalid input: a clear refusal, no echo, nothing stored. */
import { describe, expect, it } from 'vitest';
import { type Field, mutationFields, newTarget, send } from '../support/checks/mutation-fields.ts';
import { expectNoEcho, expectNothingStored } from '../support/checks/refusals.ts';
import { type Answer, goodPassword } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { everyOperation, inputOf } from '../support/operations/all-operations.ts';
import { hostileTexts } from '../support/random/hostile-texts.ts';

const service = serviceFixture(everyOperation);
const target = fixture(() => newTarget(service));

/** Any text is valid as a place to return to, and the sign-up continues. */
const storesNothing = ({ name }: Field): boolean => name !== 'signUpWithPassword.redirect';

/** A mutation with an input that has other fields too. */
const sendWith = (name: string, change: object): Promise<Answer> => {
  const { input } = inputOf(name, 0);
  return send(name, target, { input: { ...(typeof input === 'object' ? input : {}), ...change } });
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
    const sendText = async (field: Field): Promise<void> => expectAnswer(field, await field.send(target, text));
    await expectNothingStored(service, async () => {
      for (const field of mutationFields.filter(storesNothing)) await sendText(field);
    });
    for (const field of mutationFields.filter((each) => !storesNothing(each))) await sendText(field);
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
      const answer = await sendWith('signUpWithPassword', { name: 'hunter2 '.repeat(1_310_720) });
      expect([answer.status, answer.code]).toEqual([413, 'BAD_USER_INPUT']);
    }));

  it('unknown to an input is refused', () =>
    expectNothingStored(service, async () => {
      for (const answer of [
        await sendWith('signUpWithPassword', { extra: 'hunter2 secret' }),
        await sendWith('signInWithPassword', { 'hunter2 secret': 1 }),
      ]) {
        expectNoEcho(answer);
        expect(answer.text).not.toContain('hunter2');
        expect([answer.status, answer.code]).toEqual([400, 'BAD_USER_INPUT']);
      }
    }));

  // Contract: requests#names-of-refused-fields — Each refused field of an input is named
  it('that is invalid is reported together with all others', async () => {
    const answer = await sendWith('signUpWithPassword', { email: 'hunter2', name: '\u202e', password: 'hunter2' });
    expectNoEcho(answer);
    expect(Object.keys(answer.extensions['fields'] ?? {})).toEqual(['email', 'name', 'password']);
  });

  // Contract: requests#no-value-is-repeated — No value reaches the log
  it('leaves nothing of its invalid values in the log', () => {
    expect(service.logs.length).toBeGreaterThan(0);
    for (const text of ['hunter2', goodPassword, '😀😀']) expect(service.logs.join('\n')).not.toContain(text);
  });
});
