/** Addresses in the answers of the service, as the portal shows them. */
import { describe, expect, it } from 'vitest';
import { withShownAddresses } from '../src/session/shown-addresses.ts';

const answered = async (body: string | null, init: ResponseInit = {}): Promise<Response> =>
  withShownAddresses(async () => new Response(body, init))('https://id.example/graphql');

describe('An answer', () => {
  it('has the domains of its addresses in their own letters, and all else as it was', async () => {
    const data = {
      email: 'ada@xn--bcher-kva.example',
      alike: 'ada@xn--80ak6aa92e.com',
      plain: 'ada@example.com',
      url: 'https://xn--bcher-kva.example/',
      text: 'Write to ada@xn--bcher-kva.example',
      quoted: 'a "ada@xn--bcher-kva.example" b',
    };
    const init = { status: 200, headers: { 'x-correlation-id': 'c' } };
    const answer = await answered(JSON.stringify({ data }), init);
    expect(await answer.json()).toEqual({ data: { ...data, email: 'ada@bücher.example' } });
    expect([answer.status, answer.headers.get('x-correlation-id')]).toEqual([200, 'c']);
  });

  it('without such a domain, or without a body, is what the service sent', async () => {
    expect(await (await answered('{"data":{"email":"ada@example.com"}}', { status: 401 })).text()).toBe(
      '{"data":{"email":"ada@example.com"}}',
    );
    expect((await answered(null, { status: 204 })).status).toBe(204);
  });

  it('that does not arrive is the failure that it is', async () => {
    const failing = withShownAddresses(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(failing('https://id.example/graphql')).rejects.toThrow('Failed to fetch');
  });
});
