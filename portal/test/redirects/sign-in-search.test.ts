/** Search parameters of /signin: only values that the server writes are accepted. */
import { describe, expect, it } from 'vitest';
import { linkedPath, readSignInSearch } from '../../src/url-parameters.ts';

const readSearch = (search: Record<string, unknown>) => readSignInSearch(search, []);

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('the URL of /signin', () => {
  it('has the code and the correlation id of an external sign-in', () => {
    expect(readSearch({ redirect: '/members', error: 'ATTEMPT_OVER', id: uuid })).toEqual({
      redirect: '/members',
      error: 'ATTEMPT_OVER',
      id: uuid,
    });
  });

  it.each(['', 'call 0800 1234', `${uuid} `, `${uuid}0`, uuid.replaceAll('-', ''), '<b>', 12, undefined])(
    'drops an invalid id: %j',
    (id) => {
      expect(readSearch({ error: 'ATTEMPT_OVER', id }).id).toBeUndefined();
    },
  );

  it.each(['', 12, undefined, ['X']])('has no problem when the code is %j', (error) => {
    expect(readSearch({ error }).error).toBeUndefined();
  });

  it.each(['https://evil.example', '//evil.example', '/%2Fevil.example'])('drops the redirect %s', (redirect) => {
    expect(readSearch({ redirect }).redirect).toBeUndefined();
  });

  it('drops the redirect to the result of a link that was refused', () => {
    expect(readSearch({ redirect: linkedPath, error: 'IDENTITY_TAKEN' }).redirect).toBeUndefined();
  });
});
