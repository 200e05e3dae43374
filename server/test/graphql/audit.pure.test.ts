/** GraphQL over HTTP, judged by the graphql-http audit: its MUST, SHOULD and MAY. */
import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { fixture } from '../support/fixture.ts';
import { startEndpoint } from './endpoint-under-test.ts';

const endpoint = fixture(startEndpoint, (endpoint) => endpoint.stop());

const audits = serverAudits({ url: () => endpoint.url });

describe('The graphql-http audit', () => {
  it('has 61 checks', () => {
    expect(audits).toHaveLength(61);
  });

  for (const audit of audits) {
    it(`${audit.id}: ${audit.name}`, async () => {
      const result = await audit.fn();
      expect(result.status, 'reason' in result ? result.reason : undefined).toBe('ok');
    });
  }
});
