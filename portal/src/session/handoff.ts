/**
 * The end of an external sign-in. The server redirects to `/signin?oauth_exchange=1` with a one-time secret in a
 * cookie, and this tab exchanges it for a session. `session.ts` waits for it with every other request: a concurrent
 * refresh could rotate the new pair, and an answer to FetchMe would describe the state before the exchange.
 */
import { ExchangeAuthTokensDocument } from '../generated/graphql.ts';
import { asRefusal, hasCode } from './refusal.ts';
import type { SessionStore } from './session-store.ts';
import type { WithLock } from './tabs.ts';
import type { Send } from './transport.ts';

/** The `oauth_exchange` parameter in the URL. */
export interface HandoffMarker {
  /**
   * Removes the parameter.
   * @param refusal the code to show when the exchange was refused
   */
  readonly remove: (refusal?: string) => void;
}

interface HandoffParts {
  readonly send: Send;
  readonly withLock: WithLock;
  readonly marker: HandoffMarker | undefined;
}

export interface Handoff {
  /** Whether the exchange is waiting or running. */
  readonly isPending: () => boolean;
  /** Exchanges the secret, once for concurrent callers. Never rejects: the outcome is in the store and the URL. */
  readonly attempt: () => Promise<void>;
  /** Resolves when no exchange is running. */
  readonly settled: () => Promise<void>;
}

/** The secret is used or unknown. After any other failure it may still be valid, and the exchange can be retried. */
const finalCodes = ['EXCHANGE_REFUSED', 'ACCOUNT_MISMATCH'];

export const createHandoff = ({ send, withLock, marker }: HandoffParts, store: SessionStore): Handoff => {
  let pending = marker;
  let running: Promise<void> | undefined;

  const end = (refusal?: string): void => {
    pending?.remove(refusal);
    pending = undefined;
  };
  // Once a person is signed in by any method, the exchange must not replace them.
  store.subscribe(() => store.state().kind === 'in' && end());

  const fail = (error: unknown): void => {
    const final = finalCodes.find((code) => hasCode(error, code));
    if (final !== undefined) end(final);
    const problem = final === undefined ? asRefusal(error) : undefined;
    store.applyAnswer(store.identity(), { kind: 'unknown', problem, isHandoff: true });
  };

  const exchange = async (): Promise<void> => {
    try {
      // Locked, so that no other tab overwrites the new pair with a rotated one.
      await withLock(async () => {
        // A sign-in may have finished while this waited for the lock.
        if (pending === undefined) return;
        const { exchangeAuthTokens } = await send(ExchangeAuthTokensDocument, {});
        store.begin(exchangeAuthTokens.user);
      });
    } catch (error) {
      fail(error);
    }
    running = undefined;
  };

  return {
    isPending: () => pending !== undefined,
    attempt: () => {
      running ??= exchange();
      return running;
    },
    settled: async () => running,
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
