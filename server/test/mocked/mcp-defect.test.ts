/**
 * A defect behind /mcp: it is answered in the form of the protocol, recorded like any other call, and explained in the
 * log.
 */
import { describe, expect, it, vi } from 'vitest';
import { callTool, correlationIdOf, errorCodeOf, newMcpClient, rowsOf, send } from '../support/clients/mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const defect = vi.hoisted(() => ({ isThere: false }));

vi.mock(import('../../src/mcp/answers.ts'), async (loadOriginal) => {
  const original = await loadOriginal();
  const failing = <Args extends unknown[], Result>(answer: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      if (defect.isThere) throw new Error('canary of a failure');
      return answer(...args);
    };
  };
  return { ...original, toolList: failing(original.toolList), callAnswer: failing(original.callAnswer) };
});

const service = serviceFixture();
const client = fixture(() => newMcpClient(service));

describe('A message that a defect keeps from being answered', () => {
  it('is answered as a failure that the log explains, a call is recorded once, and the next one is served', async () => {
    defect.isThere = true;
    const { result, rows } = await rowsOf(service, () => callTool(service, client, 'mcp_whoami'));
    expect([result.status, errorCodeOf(result)]).toEqual([500, -32603]);
    expect(rows).toMatchObject([{ tool: 'mcp_whoami', correlation: correlationIdOf(result) }]);
    expect(result.text).not.toContain('canary');
    const reported = service.logs.filter((line) => line.includes(String(correlationIdOf(result))));
    expect(reported.join('')).toContain('canary of a failure');
    const list = await send(service, client, { id: 7, method: 'tools/list' });
    expect([list.status, errorCodeOf(list), list.body['id']]).toEqual([500, -32603, 7]);
    defect.isThere = false;
    const served = await rowsOf(service, () => callTool(service, client, 'mcp_whoami'));
    expect([served.result.status, served.rows]).toMatchObject([200, [{ outcome: 'success' }]]);
  });
});
