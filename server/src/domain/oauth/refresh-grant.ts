/** Operation: a refresh token of an OAuth client becomes a new pair (OAuth 2.1, section 4.3; contract, "OAuth for MCP"). */
import { Refusal } from '../../kernel/errors.ts';
import {
  type ClientRotationRequest,
  rotateCredentialPairOfClient,
  type ScopedPair,
} from '../credentials/rotate-pair.ts';
import { getLiveClient } from './live-client.ts';
import { OAuthRefusal } from './oauth-refusal.ts';
import type { GrantDeps } from './redeem-code.ts';

/**
 * @throws OAuthRefusal invalid_client when the client is unknown or revoked; invalid_scope when more is asked for than
 *   was granted, with nothing changed; invalid_grant as {@link rotateCredentialPairOfClient} refuses
 */
export const refreshGrant = async (deps: GrantDeps, request: ClientRotationRequest): Promise<ScopedPair> => {
  await getLiveClient(deps.database, request.clientId);
  try {
    return await rotateCredentialPairOfClient(deps, request);
  } catch (error) {
    throw error instanceof Refusal ? inWordsOfProtocol(error) : error;
  }
};

const inWordsOfProtocol = ({ code, details }: Refusal): OAuthRefusal => {
  if (code === 'FORBIDDEN') {
    const asked = details.missingScopes?.join(' ') ?? null;
    return new OAuthRefusal('invalid_scope', 'scope_widened', 'A refresh cannot ask for more than was granted.', asked);
  }
  return code === 'REFRESH_SUPERSEDED'
    ? new OAuthRefusal('invalid_grant', 'refresh_superseded', 'Another request has just refreshed this pair.')
    : new OAuthRefusal('invalid_grant', 'refresh_refused', 'This refresh token is unknown, expired, used or revoked.');
};
