/** Pages and states for the accessibility checks: no axe findings at either width, and 360 px. */
import { expect } from 'vitest';
import { createSuperAdminAccount } from '../actors/super-admins.ts';
import { goodPassword, operations, post, register } from '../clients/clients.ts';
import { findings, overflowAt360 } from './accessibility.ts';
import { openStage, type Stage, type StageSettings, type Visitor } from './browser.ts';
import type { Show } from './page-states.ts';
import { providerEnvironment } from './provider-states.ts';

/** A service with Google, a person who is signed in on another device too, and a super admin: their addresses. */
export interface ExaminedStage {
  readonly stage: Stage;
  readonly email: string;
  readonly superAdmin: string;
}

export const openExaminedStage = async (
  open: (settings: StageSettings) => Promise<Stage> = openStage,
): Promise<ExaminedStage> => {
  const stage = await open({ environment: providerEnvironment });
  const email = await register(stage.service);
  const superAdmin = await createSuperAdminAccount(stage.service);
  await signInWithCurl(stage, email);
  return { stage, email, superAdmin };
};

/** Signs a person in on a device that their list of devices names `curl`. */
export const signInWithCurl = async ({ service }: Stage, email: string): Promise<void> => {
  const input = { email, password: goodPassword };
  await post(service.url, operations.signIn, { input }, { 'user-agent': 'curl/8.14.1' });
};

// A mail is shown in the mail program's page, which has the landmarks.
const pageRules = ['landmark-one-main', 'region'];

export const examine = async (stage: Stage, { page }: Visitor, show: Show): Promise<void> => {
  await show(page, stage);
  const isMail = page.url() === 'about:blank';
  expect(await findings(page, isMail ? pageRules : [])).toEqual([]);
  expect(await overflowAt360(page)).toBe(0);
};
