/** The parameters of /signin: only what the server itself writes is taken up. */
import { describe, expect, it } from 'vitest';
import { linkedPath, readSignIn } from '../src/url-parameters.ts';

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('the address of /signin', () => {
  it('tells why a sign-in by the provider ended, and under which id', () => {
    expect(readSignIn({ redirect: '/members', error: 'ATTEMPT_OVER', id: uuid })).toEqual({
      redirect: '/members',
      error: 'ATTEMPT_OVER',
      id: uuid,
    });
  });

  it.each(['', 'call 0800 1234', `${uuid} `, `${uuid}0`, uuid.replaceAll('-', ''), '<b>', 12, undefined])(
    'shows no id that is none: %j',
    (id) => {
      expect(readSignIn({ error: 'ATTEMPT_OVER', id }).id).toBeUndefined();
    },
  );

  it.each(['', 12, undefined, ['X']])('has no problem where the code is %j', (error) => {
    expect(readSignIn({ error }).error).toBeUndefined();
  });

  it.each(['https://evil.example', '//evil.example', '/%2Fevil.example'])('leads nowhere for %s', (redirect) => {
    expect(readSignIn({ redirect }).redirect).toBeUndefined();
  });

  it('does not lead to the news of a link that was refused', () => {
    expect(readSignIn({ redirect: linkedPath, error: 'IDENTITY_TAKEN' }).redirect).toBeUndefined();
  });
});
