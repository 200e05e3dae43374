/** The endpoints for back ends over storage that does not answer. */

import cookie from '@fastify/cookie';
import { fastify } from 'fastify';
import type { Application } from '../../src/domain/scopes/application.ts';
import { mountFailures } from '../../src/http/fallbacks.ts';
import { mountIdentity } from '../../src/http/identity-endpoint.ts';
import { mountIntrospect } from '../../src/http/introspect.ts';
import { portalAlone } from '../../src/http-kit/origins.ts';
import { registerRateLimitHeaders } from '../../src/http-kit/rate-limit-headers.ts';
import { BodyBudget, leaveBodiesUnread } from '../../src/http-kit/request-bodies.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { unlimited } from '../../src/platform/rate-limit/rate-limits.ts';
import type { Service } from '../support/gatehouse/gatehouse.ts';

export interface SilentEndpoints {
  readonly url: string;
  close(): Promise<void>;
}

/** @param service whose configuration the endpoints have */
export const startSilentEndpoints = async (
  { config: settings }: Pick<Service, 'config'>,
  application: Application,
): Promise<SilentEndpoints> => {
  const app = fastify();
  registerRateLimitHeaders(app);
  mountFailures(app);
  await app.register(cookie);
  leaveBodiesUnread(app);
  const authenticator = {
    authenticate: () => Promise.reject(new DatabaseUnavailable('The storage of this test does not answer')),
  };
  const lastSeen = { note: () => undefined };
  const bodies = new BodyBudget();
  await mountIntrospect(app, {
    application,
    authenticator,
    lastSeen,
    tokenNetworks: lastSeen,
    forOrganizations: true,
    settings,
    limits: unlimited,
    bodies,
  });
  await mountIdentity(app, {
    application,
    authenticator,
    lastSeen,
    tokenNetworks: lastSeen,
    settings: portalAlone(settings),
  });
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
};
