/** Whether a session has ended or is live, by use of its pair. */
import { expect } from 'vitest';
import { me, refresh } from '../actors/credentials.ts';
import type { Tokens } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { expectRefusal } from './refusals.ts';

export const expectEnded = async (service: Service, tokens: Tokens): Promise<void> => {
  await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
  await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
};

/** Expects that both work; this rotates the pair. */
export const expectLive = async (service: Service, tokens: Tokens): Promise<void> => {
  expect((await me(service, tokens.accessToken)).code).toBeNull();
  expect((await refresh(service, tokens)).code).toBeNull();
};
