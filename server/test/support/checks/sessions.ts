/** Whether a session is over or goes on, as whoever holds its pair sees it. */
import { expect } from 'vitest';
import { me, refresh } from '../actors/credentials.ts';
import type { Tokens } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { expectRefusal } from './refusals.ts';

/** Neither token of the pair opens anything. */
export const expectDead = async (service: Service, tokens: Tokens): Promise<void> => {
  await expectRefusal(service, 'UNAUTHENTICATED', () => me(service, tokens.accessToken));
  await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
};

/** Both work; the pair is rotated by that. */
export const expectAlive = async (service: Service, tokens: Tokens): Promise<void> => {
  expect((await me(service, tokens.accessToken)).code).toBeNull();
  expect((await refresh(service, tokens)).code).toBeNull();
};
