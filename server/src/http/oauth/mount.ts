/** The authorization server of Platform MCP: its endpoints, each in a scope of its own. */
import type { FastifyInstance } from 'fastify';
import { type AuthorizationPagesDeps, mountAuthorizationPages } from './authorization-pages.ts';
import { type MetadataDeps, mountMetadata } from './metadata.ts';
import { mountRegister, type RegisterDeps } from './register.ts';
import { mountRevoke } from './revoke.ts';
import { takeTexts } from './text-bodies.ts';
import { mountToken, type TokenDeps } from './token.ts';

export interface OauthDeps extends MetadataDeps, RegisterDeps, TokenDeps, AuthorizationPagesDeps {
  readonly settings: MetadataDeps['settings'] &
    RegisterDeps['settings'] &
    TokenDeps['settings'] &
    AuthorizationPagesDeps['settings'];
}

const mostBytes = 100 * 1024;

/** Mounted only while MCP_ENABLED is on: none of these addresses exists otherwise. */
export const mountOauth = async (app: FastifyInstance, deps: OauthDeps): Promise<void> => {
  await app.register(async (scope) => mountMetadata(scope, deps));
  await app.register(async (scope) => mountAuthorizationPages(scope, deps));
  for (const mountEndpoint of [mountRegister, mountToken, mountRevoke]) {
    await app.register(async (scope) => {
      takeTexts(scope, deps.bodies, mostBytes);
      mountEndpoint(scope, deps);
    });
  }
};
