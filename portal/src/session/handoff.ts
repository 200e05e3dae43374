/**
 * The end of an external sign-in. The server redirects to `/signin?oauth_exchange=1` with a one-time secret in a
 * cookie, and this tab exchanges it for a session, before its first question and every other request: a concurrent
 * refresh could rotate the new pair, and an answer to FetchMe would describe the state before the exchange.
 */
import { isRefusal, type Refusal, type Session } from '@gatehouse/client';
import { ExchangeAuthTokensDocument, type PersonFragment } from '../generated/graphql.ts';

/** The `oauth_exchange` parameter in the URL. */
export interface HandoffMarker {
  /**
   * Removes the parameter.
   * @param refusal the code to show when the exchange was refused
   */
  readonly remove: (refusal?: string) => void;
}

export interface Handoff {
  /** Whether the exchange is waiting or running. */
  readonly isPending: () => boolean;
  /** The answer of an exchange that needs a second factor: the sign-in page goes on with it. */
  readonly challenge: () => Refusal | undefined;
  /** The person starts again: the challenge is not shown once more. */
  readonly forgetChallenge: () => void;
  /** Exchanges the secret. @throws Refusal when a retry may succeed; any other outcome is in the session and the URL */
  readonly attempt: () => Promise<void>;
}

export const createHandoff = (session: Session<PersonFragment>, marker: HandoffMarker | undefined): Handoff => {
  let pending = marker;
  let challenge: Refusal | undefined;
  const end = (refusal?: string): void => {
    pending?.remove(refusal);
    pending = undefined;
  };
  const forgetChallenge = (): void => {
    challenge = undefined;
  };
  // Once a person is signed in by any method, the exchange must not replace them, nor its challenge be shown to
  // another.
  session.subscribe(() => {
    if (session.state().status !== 'signedIn') return;
    forgetChallenge();
    end();
  });
  return {
    isPending: () => pending !== undefined,
    challenge: () => challenge,
    forgetChallenge,
    attempt: async () => {
      if (pending === undefined) return;
      try {
        await session.begin(
          // A sign-in may have finished while this waited for the lock.
          async (send) => (pending === undefined ? undefined : send(ExchangeAuthTokensDocument)),
          (answer) => answer?.exchangeAuthTokens.user,
        );
      } catch (error) {
        if (isRefusal(error, 'SECOND_FACTOR_REQUIRED')) {
          challenge = error;
          end();
          return;
        }
        // The secret is used or unknown. After any other failure it may still be valid.
        if (!isRefusal(error, 'EXCHANGE_REFUSED', 'ACCOUNT_MISMATCH', 'ACCOUNT_SUSPENDED')) throw error;
        end(error.code);
      }
    },
  };
};

const marker = 'oauth_exchange';

/** The parts of `window` used here. */
interface WindowLocation {
  readonly location: Pick<Location, 'pathname' | 'search'>;
  readonly history: Pick<History, 'state' | 'replaceState'>;
}

/**
 * The parameter counts at /signin alone, where the server redirects to. It holds no secret and stays until the exchange
 * has finished, so that a reload repeats it.
 */
export const readHandoffMarker = ({ location, history }: WindowLocation): HandoffMarker | undefined => {
  const isMarked = () => location.pathname === '/signin' && new URLSearchParams(location.search).get(marker) === '1';
  if (!isMarked()) return undefined;
  return {
    remove: (refusal) => {
      // The person may have navigated away.
      if (isMarked()) history.replaceState(history.state, '', urlAfter(location, refusal));
    },
  };
};

/** Puts a refusal into the URL in the form that the server uses: see pages/sign-in/sign-in-problem.tsx. */
const urlAfter = ({ pathname, search }: WindowLocation['location'], refusal: string | undefined): string => {
  const parameters = new URLSearchParams(search);
  for (const name of [marker, 'error', 'id']) parameters.delete(name);
  if (refusal !== undefined) parameters.set('error', refusal);
  const text = parameters.toString();
  return text === '' ? pathname : `${pathname}?${text}`;
};
