/** What a refused request with the token of a machine must not leave behind, beside what every refusal leaves alone. */
import { expect } from 'vitest';
import type { Machine } from '../actors/machines/machines.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { expectNothingStored } from './refusals.ts';

interface Traces {
  readonly usedSecrets: number;
  readonly networks: number;
  readonly audits: number;
}

const noTraces: Traces = { usedSecrets: 0, networks: 0, audits: 0 };

/** Uses of a token are written late, so that the comparison of all rows leaves them out. */
const tracesOf = async (service: Service, { tokenId }: Pick<Machine, 'tokenId'>): Promise<Traces | undefined> => {
  await service.flush();
  const [traces] = await service.sql<Traces>(
    `WITH secrets AS (SELECT id, last_seen_at FROM credentials WHERE session_family_id = $1)
     SELECT (SELECT count(*) FROM secrets WHERE last_seen_at IS NOT NULL)::integer AS "usedSecrets",
       (SELECT count(*) FROM machine_token_networks WHERE token_id = $1)::integer AS networks,
       (SELECT count(*) FROM organization_audits
        WHERE subject_id = $1 OR credential_id IN (SELECT id FROM secrets))::integer AS audits`,
    [tokenId],
  );
  return traces;
};

/**
 * Runs a request that must leave every row unchanged and count as no use of the token: no instant and no network of it,
 * and no row of an audit.
 * @param machine was never used, and no operation created it: either would leave traces
 */
export const expectUnused = async <T>(
  service: Service,
  machine: Pick<Machine, 'tokenId'>,
  act: () => Promise<T>,
): Promise<T> => {
  expect(await tracesOf(service, machine)).toEqual(noTraces);
  const result = await expectNothingStored(service, act);
  expect(await tracesOf(service, machine)).toEqual(noTraces);
  return result;
};
