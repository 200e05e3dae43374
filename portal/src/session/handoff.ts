/**
 * The end of an external sign-in. The server redirects to `/signin?oauth_exchange=1` with a one-time secret in a cookie, and
 * this tab exchanges it for a session. Until then the tab sends no other request: a concurrent refresh could rotate the new
 * pair, and an answer to FetchMe would describe the state before the exchange.
 */
import { ExchangeAuthTokensDocument } from '../generated/graphql.ts';
import { asRefusal, hasCode } from './refusal.ts';
import type { SessionStore } from './session-store.ts';
import type { Exclusively } from './tabs.ts';
import type { Send } from './transport.ts';

/** What says that a sign-in waits to be finished here. */
export interface HandoffMarker {
  /**
   * It waits no more.
   * @param refusal the server's code when it cannot be finished
   */
  readonly remove: (refusal?: string) => void;
}

interface HandoffParts {
  readonly send: Send;
  readonly exclusively: Exclusively;
  readonly marker: HandoffMarker | undefined;
}

export interface Handoff {
  /** Whether it waits to be finished, or is under way. */
  readonly isPending: () => boolean;
  /** One attempt to finish it for all who ask meanwhile. It never fails: how it went is in the store and the marker. */
  readonly attempt: () => Promise<void>;
  /** Lets an attempt end that is under way. */
  readonly pass: () => Promise<void>;
}

/** The secret is spent, or was none. After any other failure it may still be good, and the attempt can be repeated. */
const finalCodes = ['EXCHANGE_REFUSED', 'ACCOUNT_MISMATCH'];

export const createHandoff = ({ send, exclusively, marker }: HandoffParts, store: SessionStore): Handoff => {
  let waiting = marker;
  let underWay: Promise<void> | undefined;

  const end = (refusal?: string): void => {
    waiting?.remove(refusal);
    waiting = undefined;
  };
  // However they signed in, nobody is to be replaced by who comes back from the provider.
  store.subscribe(() => store.state().kind === 'in' && end());

  const fail = (error: unknown): void => {
    const final = finalCodes.find((code) => hasCode(error, code));
    if (final !== undefined) end(final);
    const problem = final === undefined ? asRefusal(error) : undefined;
    store.learn(store.identity(), { kind: 'unknown', problem, isHandoff: true });
  };

  const exchange = async (): Promise<void> => {
    try {
      // Under the lock, so that no other tab puts a rotated pair over the new one.
      await exclusively(async () => {
        // Somebody may have signed in here while this waited for the lock.
        if (waiting === undefined) return;
        const { exchangeAuthTokens } = await send(ExchangeAuthTokensDocument, {});
        store.begin(exchangeAuthTokens.user);
      });
    } catch (error) {
      fail(error);
    }
    underWay = undefined;
  };

  return {
    isPending: () => waiting !== undefined,
    attempt: () => {
      underWay ??= exchange();
      return underWay;
    },
    pass: async () => underWay,
  };
};

const marker = 'oauth_exchange';

/** What is read and written of a window. */
interface AddressBar {
  readonly location: Pick<Location, 'pathname' | 'search'>;
  readonly history: Pick<History, 'state' | 'replaceState'>;
}

/** Anywhere but at /signin, where the server sends it, the marker means nothing. */
export const readHandoff = ({ location, history }: AddressBar): HandoffMarker | undefined => {
  const isMarked = () => location.pathname === '/signin' && new URLSearchParams(location.search).get(marker) === '1';
  if (!isMarked()) return undefined;
  return {
    remove: (refusal) => {
      // The person may have gone elsewhere meanwhile.
      if (isMarked()) history.replaceState(history.state, '', addressAfter(location, refusal));
    },
  };
};

/** A refusal becomes what the server itself says of one that it finds earlier: see pages/sign-in/sign-in-problem.tsx. */
const addressAfter = ({ pathname, search }: AddressBar['location'], refusal: string | undefined): string => {
  const parameters = new URLSearchParams(search);
  for (const name of [marker, 'error', 'id']) parameters.delete(name);
  if (refusal !== undefined) parameters.set('error', refusal);
  const text = parameters.toString();
  return text === '' ? pathname : `${pathname}?${text}`;
};
