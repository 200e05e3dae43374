/**
 * A link that waits for a person's answer, because the browser that came back from the provider does not hold the session
 * that prepared it (specification, "HTTP routes": the identity goes to the signed-in user). It waits in the helper session
 * of that browser, counts once, and is no credential.
 */
import { randomBytes } from 'node:crypto';
import { isRecord, type JsonRecord } from '../../kernel/records.ts';
import type { HelperSessions } from '../../platform/helper-sessions.ts';
import { attemptLifeSeconds, type LinkTarget } from './attempt.ts';
import { isKnownIdentity, type KnownIdentity } from './known-identity.ts';

export interface LinkQuestion {
  readonly target: LinkTarget;
  readonly identity: KnownIdentity;
  /** The address of the account, as far as this browser is shown it. */
  readonly account: string;
  /** Whether that is the identity's address too. */
  readonly isSameAddress: boolean;
  /** Where the person goes after a yes; null without a wish. */
  readonly redirect: string | null;
}

interface LinkQuestionDeps {
  readonly helperSessions: HelperSessions;
}

const entryOf = (questionId: string): string => `link-question:${questionId}`;

/**
 * @param sessionId of the browser's helper session
 * @returns the id of the question, which names nothing outside of this helper session
 * @throws Refusal UNAVAILABLE
 */
export const keepLinkQuestion = async (
  { helperSessions }: LinkQuestionDeps,
  sessionId: string,
  question: LinkQuestion,
): Promise<string> => {
  const questionId = randomBytes(16).toString('base64url');
  await helperSessions.write(sessionId, entryOf(questionId), JSON.stringify(question), attemptLifeSeconds);
  return questionId;
};

/** Null when it was answered, ran out, or belongs to another browser. @throws Refusal UNAVAILABLE */
export const findLinkQuestion = async (
  { helperSessions }: LinkQuestionDeps,
  sessionId: string,
  questionId: string,
): Promise<LinkQuestion | null> => parseQuestion(await helperSessions.read(sessionId, entryOf(questionId)));

/** The same, and the question is over: of several answers, one gets it. @throws Refusal UNAVAILABLE */
export const takeLinkQuestion = async (
  { helperSessions }: LinkQuestionDeps,
  sessionId: string,
  questionId: string,
): Promise<LinkQuestion | null> => parseQuestion(await helperSessions.take(sessionId, entryOf(questionId)));

/** The same address as the identity's is shown whole; of another one only enough to know one's own again. */
export const shownAccount = (
  email: string,
  identity: KnownIdentity,
): Pick<LinkQuestion, 'account' | 'isSameAddress'> => {
  const isSameAddress = identity.isEmailVerified && email === identity.email;
  return { account: isSameAddress ? email : masked(email), isSameAddress };
};

const masked = (email: string): string => {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${first}•••${email.slice(at)}`;
};

/** Entries are sealed, so only another version of the service can have written something else: that counts as none. */
const parseQuestion = (text: string | null): LinkQuestion | null => {
  const value: unknown = text === null ? null : JSON.parse(text);
  return isRecord(value) ? questionIn(value) : null;
};

const questionIn = ({ target, identity, account, isSameAddress, redirect }: JsonRecord): LinkQuestion | null => {
  if (!isTarget(target) || !isKnownIdentity(identity) || typeof account !== 'string') return null;
  return {
    target,
    identity,
    account,
    isSameAddress: isSameAddress === true,
    redirect: typeof redirect === 'string' ? redirect : null,
  };
};

const isTarget = (value: unknown): value is LinkTarget =>
  isRecord(value) && typeof value['userId'] === 'string' && typeof value['sessionFamilyId'] === 'string';
