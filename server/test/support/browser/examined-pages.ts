/** The service of the examined pages, and what each state of each page has to satisfy. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createSuperAdminAccount } from '../actors/super-admins.ts';
import { goodPassword, operations, post, register } from '../clients/clients.ts';
import { announceAxe, findings, fourLooks, type Look, pairsOfLooks } from './accessibility.ts';
import { openStage, type Stage, type StageSettings, signInByRequest } from './browser.ts';
import { collectData, overflowAt, switchTo, untranslated } from './languages.ts';
import { type Audience, states } from './states/all-states.ts';
import type { Show } from './states/page-states.ts';
import { providerEnvironment } from './states/provider-states.ts';
import type { LastingVisitor } from './visitors.ts';

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

/** Every state of an audience, or each nth from the one at `first` on: files share those that take long. */
export const statesOf = (audience: Audience, { first = 0, each = 1 } = {}): readonly (readonly [string, Show])[] =>
  Object.entries(states[audience]).filter((_, index) => index % each === first);

export interface Examination {
  /** Opens a state once, and examines it in every look and language. */
  examine(show: Show): Promise<void>;
  close(): Promise<void>;
}

/** One tab for all states of an audience: the browser has the files of the portal, compiled, from the second on. */
export const openExamination = async (audience: Audience): Promise<Examination> => {
  const examined = await openExaminedStage();
  const { stage } = examined;
  const visitor = await stage.newLastingVisitor();
  await announceAxe(visitor.context);
  let examinations = 0;
  return {
    examine: async (show) => {
      const looks = looksOf(examinations);
      examinations += 1;
      await beginAnew(examined, visitor);
      await signInAs(audience, examined, visitor);
      await examineState(stage, visitor, show, looks);
    },
    close: () => stage.close(),
  };
};

/** Ends what the last state was doing, and removes what it has left: in the browser, and the language of accounts. */
const beginAnew = async (
  { stage }: ExaminedStage,
  { context, page, takeComplaints }: LastingVisitor,
): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A document of the origin without a script.
  await page.goto('/healthz');
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1280, height: 720 });
  await stage.service.sql('UPDATE users SET language = NULL');
  // Those of the last state are in its own result.
  takeComplaints();
};

/** Each state has a session of its own. */
const signInAs = async (audience: Audience, examined: ExaminedStage, visitor: LastingVisitor): Promise<void> => {
  if (audience === 'visitor') return;
  await signInByRequest(examined.stage, visitor, audience === 'person' ? examined.email : examined.superAdmin);
};

/** Every state has both widths and both schemes; at night, all four looks. */
const looksOf = (examination: number): readonly Look[] =>
  process.env['EXAMINED_LOOKS'] === '4' ? fourLooks : (pairsOfLooks[examination % pairsOfLooks.length] ?? fourLooks);

// A mail is shown in the mail program's page, which has the landmarks.
const pageRules = ['landmark-one-main', 'region'];

const examineState = async (
  stage: Stage,
  { page, takeComplaints }: LastingVisitor,
  show: Show,
  looks: readonly Look[],
): Promise<void> => {
  const dataOf = collectData(page);
  await show(page, stage);
  const isMail = page.url() === 'about:blank';
  expect(await findings(page, { withoutRules: isMail ? pageRules : [], looks })).toEqual([]);
  await fitsIn(page, 360);
  // The server writes mails, and its mailbox, in its own language.
  if (!isMail && !page.url().includes('/dev/mailbox')) await examineLanguages(page, dataOf);
  expect(takeComplaints()).toEqual([]);
};

/**
 * Longer words, other line breaks, the other direction; the longest words last, where each text has to be a message.
 */
const examineLanguages = async (page: Page, dataOf: () => Promise<ReadonlySet<string>>): Promise<void> => {
  await switchTo(page, 'ja');
  await fitsIn(page, 360);
  await switchTo(page, 'ar');
  await fitsIn(page, 360);
  await fitsIn(page, 1280);
  await switchTo(page, 'en-XA');
  expect(await untranslated(page, await dataOf())).toEqual([]);
  await fitsIn(page, 360);
};

const fitsIn = (page: Page, width: number): Promise<void> => expect.poll(() => overflowAt(page, width)).toBe(0);
