/** Doctor check of the portal from a browser's view: its page at FRONTEND_URL, and its access to the API from there. */
import type { Config } from '../../config/config.ts';
import { present } from '../../kernel/collections.ts';
import { type Finding, findingsOn } from './findings.ts';
import { describe, isHtml, probe } from './probe.ts';

const { ok, warning, error } = findingsOn('portal');

type Origins = Pick<Config, 'baseUrl' | 'frontendUrl'>;

export const checkPortal = (origins: Origins): Promise<Finding[]> =>
  Promise.all(present(pageFinding(origins), origins.baseUrl !== origins.frontendUrl && sharingFinding(origins)));

const pageFinding = async ({ baseUrl, frontendUrl }: Origins): Promise<Finding> => {
  const address = `${frontendUrl}/signin`;
  const answer = await probe(address);
  if (answer.kind === 'unanswered')
    return warning(
      `The portal is not reachable from here at FRONTEND_URL, ${frontendUrl} (${answer.code}).`,
      'Start the server of the portal, or correct FRONTEND_URL.',
    );
  const api = /name="gatehouse-api" content="([^"]*)"/.exec(answer.text)?.[1];
  if (answer.status !== 200 || !isHtml(answer) || api === undefined)
    return warning(
      `GET ${address} answers ${describe(answer, address)}, not the page of the portal, so links in mails do not work.`,
      'Configure the server of FRONTEND_URL to answer the paths of the portal with its page. Ignore this if a portal of your own has these paths.',
    );
  return api === (baseUrl === frontendUrl ? '' : baseUrl)
    ? ok('The portal answers with its page.')
    : error(
        'The page of the portal was made for another BASE_URL, so it sends requests to the wrong host.',
        'Configure the server of FRONTEND_URL to pass the paths of the portal to this service, or insert the present BASE_URL into its page.',
      );
};

const sharingFinding = async ({ baseUrl, frontendUrl }: Origins): Promise<Finding> => {
  const address = `${baseUrl}/graphql`;
  const answer = await probe(address, {
    method: 'OPTIONS',
    headers: {
      origin: frontendUrl,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  });
  if (answer.kind === 'answered') {
    const { status, headers } = answer;
    const isShared =
      headers.get('access-control-allow-origin') === frontendUrl &&
      headers.get('access-control-allow-credentials') === 'true';
    if (status < 300 && isShared) return ok('The portal may call /graphql from its own origin.');
  }
  return error(
    `A browser may not call /graphql from FRONTEND_URL: the preflight answers ${describe(answer, address)} without the headers that allow it.`,
    'Configure the proxy to pass OPTIONS to the service and to leave its Access-Control headers unchanged; the service must run with this FRONTEND_URL.',
  );
};
