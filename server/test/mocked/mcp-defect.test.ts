/**
 * What speaks the protocol is loaded with the first message. A machine at its end can fail to: too many open files, no
 * memory. That call is recorded like any other, and the next message loads it.
 */
import { describe, expect, it, vi } from 'vitest';
import type { Logger } from '../../src/platform/observability/logger.ts';
import { callTool, correlationIdOf, errorCodeOf, newMcpClient, rowsOf, send } from '../support/clients/mcp.ts';
import { fixture, serviceFixture } from '../support/fixture.ts';

const machine = vi.hoisted(() => ({ isAtItsEnd: false }));

vi.mock(import('../../src/mcp/protocol.ts'), async (loadOriginal) => {
  const { Protocol } = await loadOriginal();
  return {
    Protocol: class extends Protocol {
      constructor(logger: Logger) {
        super(logger);
        if (machine.isAtItsEnd) throw new Error('EMFILE: canary of a failure');
      }
    },
  };
});

const service = serviceFixture();
const client = fixture(() => newMcpClient(service));

describe('A first message whose protocol cannot be loaded', () => {
  it('is answered and recorded as a failure that the log explains, and the next one is served', async () => {
    machine.isAtItsEnd = true;
    const { result, rows } = await rowsOf(service, () => callTool(service, client, 'mcp_whoami'));
    expect([result.status, errorCodeOf(result)]).toEqual([500, -32603]);
    expect(rows).toMatchObject([{ outcome: 'error', tool: 'mcp_whoami', correlation: correlationIdOf(result) }]);
    expect(result.text).not.toContain('canary');
    const reported = service.logs.filter((line) => line.includes(String(correlationIdOf(result))));
    expect(reported.join('')).toContain('canary of a failure');
    const list = await send(service, client, { id: 7, method: 'tools/list' });
    expect([list.status, errorCodeOf(list), list.body['id']]).toEqual([500, -32603, 7]);
    machine.isAtItsEnd = false;
    const served = await rowsOf(service, () => callTool(service, client, 'mcp_whoami'));
    expect([served.result.status, served.rows]).toMatchObject([200, [{ outcome: 'success' }]]);
  });
});
