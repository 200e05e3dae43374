/**
 * The portal's session: that of `@gatehouse/client`, with the end of an external sign-in. Pages that sign a person in,
 * by password, a confirmed sign-up or an invitation, do so by `begin`.
 */
import {
  type Browser,
  type Session as ClientSession,
  type SessionState as ClientSessionState,
  createSessionClient,
  type Refusal,
  type SessionClient,
} from '@gatehouse/client';
import { type PersonFragment, PersonFragmentDoc } from '../generated/graphql.ts';
import { createHandoff, type Handoff, type HandoffMarker } from './handoff.ts';
import { hasCode } from './refusal.ts';
import { withShownAddresses } from './shown-addresses.ts';
import { createStepUp, type StepUp, withStepUp } from './step-up.ts';

export type Person = PersonFragment;
export type SessionState = ClientSessionState<Person>;

export interface Session
  extends ClientSession<Person>,
    Pick<SessionClient<Person>, 'signOut' | 'switchOrganization' | 'withLock'> {
  /** Sends an operation of the signed-in person, again after a step-up that it needs. */
  readonly request: SessionClient['graphql'];
  /** Sends an operation once, whatever the answer. */
  readonly send: SessionClient['graphql'];
  readonly stepUp: StepUp;
  readonly handoff: Pick<Handoff, 'isPending' | 'challenge' | 'forgetChallenge'>;
}

interface SessionParts {
  readonly baseUrl: string;
  /** The language of the page, a BCP 47 tag; mails to people who have chosen none have it too. */
  readonly language?: (() => string) | undefined;
  /** Marker of an external sign-in that waits to be finished. */
  readonly marker?: HandoffMarker | undefined;
  /** Parts of the browser, replaced in tests. */
  readonly browser?: Partial<Browser>;
}

export const createSession = ({ baseUrl, language, marker, browser }: SessionParts): Session => {
  const prepare = () => handoff.attempt();
  const fetch = withShownAddresses(browser?.fetch ?? ((...asked) => globalThis.fetch(...asked)));
  const parts = { ...browser, fetch };
  const client = createSessionClient<Person>({ baseUrl, fragment: PersonFragmentDoc, prepare, language }, parts);
  const { session, graphql: send, signOut, switchOrganization, withLock } = client;
  const handoff = createHandoff(session, marker);
  const stepUp = createStepUp();
  const request: SessionClient['graphql'] = (document, ...variables) =>
    withStepUp(stepUp, () => send(document, ...variables));
  const begin: Session['begin'] = async (operation, userOf) => {
    try {
      return await session.begin(operation, userOf);
    } catch (error) {
      // The answer was lost, perhaps after the browser had kept its cookies: the page leaves if a person is signed in.
      if (hasCode(error, 'OFFLINE')) await session.refetch();
      throw error;
    }
  };
  return { ...session, begin, request, send, stepUp, signOut, switchOrganization, withLock, handoff };
};

/** An external sign-in is waiting or running. */
export const isCompletingHandoff = ({ state, handoff }: Session): boolean => {
  const current = state();
  return current.status === 'loading' && current.error === undefined && handoff.isPending();
};

/** Error of the last exchange, when a retry may succeed. */
export const handoffProblem = ({ state, handoff }: Session): Refusal | undefined => {
  const current = state();
  return current.status === 'loading' && handoff.isPending() ? current.error : undefined;
};
