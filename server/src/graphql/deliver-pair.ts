/** How a pair of tokens reaches its caller: in cookies, or in the body; never both (contract, "Delivery"). */
import type { TokenPair } from '../domain/credentials/issue-pair.ts';
import { setAuthCookies } from '../web/cookies.ts';
import type { GraphqlContext } from './context.ts';

export type Delivery = 'cookies' | 'body';

/** What stands behind the GraphQL type AuthPayload. */
export interface DeliveredPair {
  readonly pair: TokenPair;
  readonly delivery: Delivery;
}

export const deliverPair = (context: GraphqlContext, pair: TokenPair, delivery: Delivery): DeliveredPair => {
  if (delivery === 'cookies') setAuthCookies(context.reply, context.services.settings, pair);
  return { pair, delivery };
};
