/** Doctor check of the portal from a browser's view: its page at FRONTEND_URL, and its access to the API from there. */
import type { Config } from '../../config/config.ts';
import { type Finding, findingsOn } from './findings.ts';
import { describe, isHtml, probe } from './probe.ts';

const { ok, warning, error } = findingsOn('portal');

type Origins = Pick<Config, 'baseUrl' | 'frontendUrl'>;

export const checkPortal = async (origins: Origins): Promise<Finding[]> => {
  const isTwo = origins.baseUrl !== origins.frontendUrl;
  return Promise.all([pageFinding(origins), ...(isTwo ? [sharingFinding(origins)] : [])]);
};

const pageFinding = async ({ baseUrl, frontendUrl }: Origins): Promise<Finding> => {
  const address = `${frontendUrl}/signin`;
  const answer = await probe(address);
  if (answer.kind === 'unanswered')
    return warning(
      `The portal is not reachable from here at FRONTEND_URL, ${frontendUrl} (${answer.code}).`,
      'Start what serves it, or correct FRONTEND_URL.',
    );
  const api = /name="gatehouse-api" content="([^"]*)"/.exec(answer.text)?.[1];
  if (answer.status !== 200 || !isHtml(answer) || api === undefined)
    return warning(
      `GET ${address} answers ${describe(answer, address)}, not the page of the portal, so links in mails lead nowhere.`,
      'Let what serves FRONTEND_URL answer the paths of the portal with its page; leave this be when a portal of your own has these paths.',
    );
  return api === (baseUrl === frontendUrl ? '' : baseUrl)
    ? ok('The portal answers with its page.')
    : error(
        'The page of the portal was made for another BASE_URL, so it asks the wrong host.',
        'Let FRONTEND_URL pass the paths of the portal to this service, or fill BASE_URL into its page again.',
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
  const said = answer.kind === 'answered' ? describe(answer, address) : `nothing (${answer.code})`;
  return error(
    `A browser may not call /graphql from FRONTEND_URL: the preflight answers ${said} without the headers that allow it.`,
    'Let the proxy pass OPTIONS to the service and leave its Access-Control headers as they are; the service must run with this FRONTEND_URL.',
  );
};
