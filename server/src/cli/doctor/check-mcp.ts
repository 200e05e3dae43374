/**
 * Doctor check of Platform MCP from a client's view, through any proxy in front: the challenge and the two documents
 * that it follows from the bare URL (contract/platform-mcp.md#metadata-of-the-server,
 * contract/platform-mcp.md#bearer-token-of-a-call).
 */
import type { Config } from '../../config/config.ts';
import { doctorToken } from '../../domain/client-onboarding/steps.ts';
import { present } from '../../kernel/collections.ts';
import { type Finding, findingsOn } from './findings.ts';
import { type Answered, describe, isHtml, jsonOf, probe, propertyOf, shownAddress, type Unanswered } from './probe.ts';

const { ok, warning, error } = findingsOn('mcp');

const resourcePath = '/.well-known/oauth-protected-resource';
const serverPath = '/.well-known/oauth-authorization-server';

export const checkMcp = async ({ mcp, baseUrl }: Config): Promise<Finding[]> => {
  if (!mcp.enabled) return [ok('MCP_ENABLED is false: Platform MCP is switched off.')];
  const [challenge, ...documents] = await Promise.all([
    challengeFinding(baseUrl),
    resourceFindings(baseUrl),
    serverFindings(baseUrl),
  ]);
  const faults = present(challenge, ...documents.flat());
  return faults.length > 0 ? faults : [ok(`MCP clients can discover how to connect from ${baseUrl}/mcp.`)];
};

/** Requests without a token, and with one that was never issued. */
const challengeFinding = async (baseUrl: string): Promise<Finding | null> => {
  const address = `${baseUrl}/mcp`;
  const [bare, withToken] = await Promise.all([probe(address, call({})), probe(address, call(madeUpToken))]);
  const fault = refusalFault(bare, address) ?? challengeFault(bare, baseUrl);
  if (fault !== null) return fault;
  return withToken.kind === 'answered' && !challengeOf(withToken).includes('error="invalid_token"')
    ? error(
        'A token sent to POST /mcp does not reach the service: the response is the one for a request without a token.',
        'Configure the proxy to pass the Authorization header to the service.',
      )
    : null;
};

const madeUpToken = { authorization: `Bearer ${doctorToken}` };

const call = (headers: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
});

const challengeOf = ({ headers }: Answered): string => headers.get('www-authenticate') ?? '';

const refusalFault = (answer: Answered | Unanswered, address: string): Finding | null => {
  if (answer.kind === 'unanswered')
    return error(
      `POST /mcp at BASE_URL got no response (${answer.code}).`,
      'Configure the proxy to pass /mcp to the service.',
    );
  if (answer.status === 401) return null;
  const said = `POST /mcp without a token answers ${describe(answer, address)} instead of 401`;
  if (isHtml(answer) || answer.status === 404 || answer.status === 405)
    return error(
      `${said}: another server answers, or the service runs with MCP_ENABLED=false.`,
      'Configure the proxy to pass /mcp, with every method, to the service, before any rule for the pages of the portal.',
    );
  return answer.status === 403
    ? error(
        `${said}: the service refuses the Host header of the request.`,
        'Configure the proxy to pass the Host header of the client unchanged, and run the service with the BASE_URL that clients use.',
      )
    : error(
        `${said}.`,
        'Configure the proxy to pass POST /mcp to the service unchanged, without a sign-in of its own.',
      );
};

const challengeFault = (answer: Answered | Unanswered, baseUrl: string): Finding | null => {
  const challenge = answer.kind === 'answered' ? challengeOf(answer) : '';
  const named = /resource_metadata="([^"]*)"/.exec(challenge)?.[1];
  if (named === undefined)
    return error(
      'POST /mcp answers 401 without WWW-Authenticate and its resource_metadata, so clients cannot discover where to sign in.',
      'Configure the proxy to leave WWW-Authenticate unchanged, and to request no credentials of its own.',
    );
  return [`${baseUrl}${resourcePath}/mcp`, `${baseUrl}${resourcePath}`].includes(named)
    ? null
    : error(
        `POST /mcp sends clients to the metadata at ${shownAddress(named)}, not at BASE_URL.`,
        'Run the service with the BASE_URL that clients use, and configure the proxy to leave WWW-Authenticate unchanged.',
      );
};

/** RFC 9728. */
const resourceFindings = async (baseUrl: string): Promise<Finding[]> => {
  const path = `${resourcePath}/mcp`;
  const answer = await probe(`${baseUrl}${path}`, fromElsewhere);
  return documentFault(answer, baseUrl, path, (document) => {
    const servers = propertyOf(document, 'authorization_servers');
    return [
      ['resource', propertyOf(document, 'resource'), `${baseUrl}/mcp`],
      ['authorization_servers', Array.isArray(servers) ? servers[0] : undefined, baseUrl],
    ];
  });
};

/** RFC 8414. */
const serverFindings = async (baseUrl: string): Promise<Finding[]> => {
  const answer = await probe(`${baseUrl}${serverPath}`, fromElsewhere);
  return documentFault(answer, baseUrl, serverPath, (document) => [
    ['issuer', propertyOf(document, 'issuer'), baseUrl],
    ...(['authorization', 'token', 'registration'] as const).map((name): Expectation => {
      const endpoint = propertyOf(document, `${name}_endpoint`);
      const origin = typeof endpoint === 'string' && URL.canParse(endpoint) ? new URL(endpoint).origin : undefined;
      return [`${name}_endpoint`, origin, baseUrl];
    }),
  ]);
};

/** A request as from the page of a client in a browser. */
const fromElsewhere = { headers: { origin: 'https://client.invalid' } };

type Expectation = readonly [name: string, is: unknown, shouldBe: string];

const documentFault = (
  answer: Answered | Unanswered,
  baseUrl: string,
  path: string,
  expectations: (document: unknown) => readonly Expectation[],
): Finding[] => {
  const document = answer.kind === 'answered' && answer.status === 200 ? jsonOf(answer) : undefined;
  if (answer.kind === 'unanswered' || document === undefined) {
    const said = describe(answer, `${baseUrl}${path}`);
    return [
      error(
        `GET ${path} at BASE_URL answers ${said}, not the metadata as JSON.`,
        'Configure the proxy to pass /.well-known/oauth-* to the service, and to serve no files of its own there.',
      ),
    ];
  }
  const wrong = expectations(document).filter(([, is, shouldBe]) => is !== shouldBe);
  return present(...wrong.map((expectation) => mismatch(path, expectation)), sharingFinding(answer, path));
};

const mismatch = (path: string, [name, is, shouldBe]: Expectation): Finding =>
  error(
    `${name} in ${path} is ${shownAddress(is)}, not ${shouldBe}; clients refuse this.`,
    'Run the service with the BASE_URL that clients use; the service at this address runs with another BASE_URL, or is another service.',
  );

const sharingFinding = ({ headers }: Answered, path: string): Finding | null =>
  headers.get('access-control-allow-origin') === '*'
    ? null
    : warning(
        `GET ${path} answers without Access-Control-Allow-Origin: *, so clients in a browser cannot read it.`,
        'Configure the proxy to leave the Access-Control headers of the service unchanged.',
      );
