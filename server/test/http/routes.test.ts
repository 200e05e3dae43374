/** The list of routes in source names exactly the routes that a service with every feature mounts. */
import { describe, expect, it } from 'vitest';
import { listedRoutes } from '../../src/app/routes.ts';
import { fixture } from '../support/fixture.ts';
import { startService } from '../support/gatehouse/gatehouse.ts';
import { withRoutesOf } from '../support/gatehouse/mounted-routes.ts';
import { startIdentityProvider } from '../support/servers/identity-provider.ts';

const provider = fixture(startIdentityProvider);

const everyFeature = {
  METRICS_TOKEN: 'token-of-the-tests',
  STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests',
};

/** Fastify adds HEAD to each GET, and CORS adds OPTIONS; the list names neither. */
const isListable = (method: string): boolean => method !== 'HEAD' && method !== 'OPTIONS';

/** The name of a mounted route in the list: of its own method, or of every method. */
const listedName = ({ method, url }: { readonly method: string; readonly url: string }): string =>
  listedRoutes.includes(`${method} ${url}`) ? `${method} ${url}` : `ANY ${url}`;

describe('The list of routes', () => {
  // Contract: requests#list-of-routes — The list of routes with their guards is complete, and lists no other route
  it('names each mounted route, and no route that is not mounted', async () => {
    const { started: service, routes } = await withRoutesOf(() =>
      startService({ ...provider.environment(), ...everyFeature }, 'one origin', {
        application: { brand: { logo: './logo.svg' }, messages: { de: { portal: { 'signIn.title': 'Hallo' } } } },
      }),
    );
    await service.close();
    const mounted = routes.filter(({ method }) => isListable(method)).map(listedName);
    expect([...new Set(mounted)].sort()).toEqual([...listedRoutes].sort());
  });
});
