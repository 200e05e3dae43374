/** Properties of every refusal: code and status, an answer that quotes nothing, and no effect. */
import { expect } from 'vitest';
import { type RefusalCode, refusalStatus } from '../../../src/kernel/errors.ts';
import type { Answer } from '../clients/clients.ts';
import { everythingStored } from '../database/stored-rows.ts';
import type { Service } from '../gatehouse/gatehouse.ts';

/** Texts this short could be in any answer by chance. */
const shortestTelltale = 4;

/** Expects none of the request's texts in the answer, as they are or as JSON. */
export const expectNoEcho = (answer: Answer): void => {
  const telltales = answer.sent.filter((text) => text.length >= shortestTelltale);
  const echoes = telltales.filter(
    (text) => answer.text.includes(text) || answer.text.includes(JSON.stringify(text).slice(1, -1)),
  );
  expect(echoes).toEqual([]);
};

/** A mutation counts for its person, also where it is refused for another reason. */
const isPermitOfMutation = (line: string): boolean => line.startsWith('rate_limits {"key": "mutation:');

/** Runs work that leaves every row and every mail unchanged, but for the lines that may change. */
const expectUnchanged = async <T>(
  service: Service,
  mayChange: (line: string) => boolean,
  work: () => Promise<T>,
): Promise<T> => {
  const before = await everythingStored(service);
  const result = await work();
  const after = await everythingStored(service);
  // The same array where nothing was written.
  if (after !== before) {
    const [kept, found] = [before, after].map((lines) => lines.filter((line) => !mayChange(line)));
    expect(found).toEqual(kept);
  }
  return result;
};

/** Runs an operation that must leave every row and every mail unchanged. */
export const expectNothingStored = <T>(service: Service, work: () => Promise<T>): Promise<T> =>
  expectUnchanged(service, isPermitOfMutation, work);

const isRecordOfCall = (line: string): boolean =>
  line.startsWith('mcp_tool_audits ') ||
  (line.startsWith('organization_audits ') && line.includes('"event": "MCP_TOOL_CALLED"'));

/** Runs calls of MCP tools that must leave every row and every mail unchanged, but for their own record. */
export const expectNothingChanged = <T>(service: Service, work: () => Promise<T>): Promise<T> =>
  expectUnchanged(service, isRecordOfCall, work);

/** Runs a request that must change nothing, with any answer. */
export const expectNoEffect = (service: Service, act: () => Promise<Answer>): Promise<Answer> =>
  expectNothingStored(service, async () => {
    const answer = await act();
    expectNoEcho(answer);
    expect(answer.setCookies).toEqual([]);
    return answer;
  });

/** Runs a request that must be refused with this code, and leave no trace. */
export const expectRefusal = async (
  service: Service,
  code: RefusalCode,
  act: () => Promise<Answer>,
): Promise<Answer> => {
  const answer = await expectNoEffect(service, act);
  expect({ code: answer.code, status: answer.status }).toEqual({ code, status: refusalStatus[code] });
  return answer;
};
