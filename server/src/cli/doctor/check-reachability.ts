/** Doctor check of the running service from a client's view: at BASE_URL, through any proxy in front. */
import { type Finding, findingsOn } from './findings.ts';
import { type Answered, describe, jsonOf, probe, propertyOf, redirectOf, type Unanswered } from './probe.ts';

const { ok, warning, error } = findingsOn('service');

interface Reached {
  /** The response from /healthz; null without one. */
  readonly health: Answered | null;
  /** Whether the response is Gatehouse's, so that the other checks can run. */
  readonly isService: boolean;
  readonly findings: readonly Finding[];
}

export const requestService = async (baseUrl: string): Promise<Reached> => {
  const address = `${baseUrl}/healthz`;
  const health = await probe(address);
  if (health.kind === 'unanswered') return { health: null, isService: false, findings: [absence(baseUrl, health)] };
  const isService = health.status === 200 && propertyOf(jsonOf(health), 'status') === 'ok';
  return {
    health,
    isService,
    findings: isService ? [ok(`Gatehouse answers at ${baseUrl}.`)] : [notGatehouse(health, address)],
  };
};

const leftOut = 'What clients see was not checked.';

const absence = (baseUrl: string, { cause, code }: Unanswered): Finding => {
  if (cause === 'tls')
    return error(
      `The TLS connection to BASE_URL, ${baseUrl}, failed (${code}). ${leftOut}`,
      'Give the proxy a certificate for this host with its whole chain; if you run your own certificate authority, set NODE_EXTRA_CA_CERTS to its certificate for this command and for MCP clients.',
    );
  return warning(
    `The service is not running, or not reachable from here, at BASE_URL, ${baseUrl} (${code}). ${leftOut}`,
    'Start it (gatehouse serve) and the proxy in front, or correct BASE_URL; then run gatehouse doctor again.',
  );
};

const notGatehouse = (health: Answered, address: string): Finding => {
  const said = `GET ${address} answers ${describe(health, address)}`;
  if ([502, 503, 504].includes(health.status))
    return error(
      `${said}: a proxy answers, but it does not reach the service. ${leftOut}`,
      'Start the service, and configure the proxy to use its HOST and PORT.',
    );
  return redirectOf(health, address) === null
    ? error(
        `${said}: that is not Gatehouse. ${leftOut}`,
        'Configure the proxy to pass every path of this host to the service, or correct BASE_URL.',
      )
    : error(
        `${said}, and clients that POST do not follow it. ${leftOut}`,
        'Set BASE_URL to the address that answers without a redirect.',
      );
};

/** Checks, for a reachable service, its readiness and whether its GraphQL endpoint can be reached. */
export const checkInterface = async (baseUrl: string): Promise<Finding[]> => {
  const [readiness, graphql] = await Promise.all([readinessFinding(baseUrl), graphqlFinding(baseUrl)]);
  return [readiness, graphql];
};

const readinessFinding = async (baseUrl: string): Promise<Finding> => {
  const answer = await probe(`${baseUrl}/readyz`);
  if (answer.kind === 'answered' && answer.status === 200) return ok('The service is ready.');
  const checks = answer.kind === 'answered' ? propertyOf(jsonOf(answer), 'checks') : null;
  const missing = Object.entries(checks ?? {})
    .filter(([name, state]) => state !== 'ok' && state !== 'none' && /^[a-z]{1,30}$/i.test(name))
    .map(([name]) => name);
  return error(
    missing.length === 0
      ? 'GET /readyz does not report that the service is ready.'
      : `The service runs and is not ready: ${missing.join(', ')}.`,
    'See its log for the reason; it becomes ready again once the cause is fixed.',
  );
};

const graphqlFinding = async (baseUrl: string): Promise<Finding> => {
  const address = `${baseUrl}/graphql`;
  const answer = await probe(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  if (answer.kind === 'answered') {
    const data = propertyOf(jsonOf(answer), 'data');
    if (propertyOf(data, '__typename') === 'Query') return ok('GraphQL answers at /graphql.');
  }
  return error(
    `POST /graphql at BASE_URL answers ${describe(answer, address)}, not GraphQL.`,
    'Configure the proxy to pass POST and its body to /graphql of the service.',
  );
};
