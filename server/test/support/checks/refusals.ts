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

const storedByCalls = async (service: Service): Promise<readonly string[]> =>
  (await everythingStored(service)).filter((line) => !isPermitOfMutation(line));

/** Runs an operation that must leave every row and every mail unchanged. */
export const expectNothingStored = async <T>(service: Service, work: () => Promise<T>): Promise<T> => {
  const before = await storedByCalls(service);
  const result = await work();
  expect(await storedByCalls(service)).toEqual(before);
  return result;
};

const isRecordOfCall = (line: string): boolean =>
  line.startsWith('mcp_tool_audits ') ||
  (line.startsWith('organization_audits ') && line.includes('"event": "MCP_TOOL_CALLED"'));

/** Runs calls of MCP tools that must leave every row and every mail unchanged, but for their own record. */
export const expectNothingChanged = async <T>(service: Service, work: () => Promise<T>): Promise<T> => {
  const unrecorded = async () => (await everythingStored(service)).filter((line) => !isRecordOfCall(line));
  const before = await unrecorded();
  const result = await work();
  expect(await unrecorded()).toEqual(before);
  return result;
};

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
