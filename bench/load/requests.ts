/** The bytes that each connection sends next. */
import type { Pair, Switcher } from '../seed.ts';
import { codeRequests, passkeyOptions, passkeySignIn, passwordOfCodes, twoSteps } from './factor-requests.ts';
import type { Workload } from './job.ts';
import { bytesOf, type NextRequest } from './request-bytes.ts';

/** By port and path: a session goes on from where the last job left it. */
const chains = new Map<string, readonly NextRequest[]>();

/** One source of requests for each connection. */
export const requestsFor = (workload: Workload, port: number, connections: number): readonly NextRequest[] => {
  if (workload.kind === 'rotate') {
    const chain = `${port} ${workload.path}`;
    const begun = chains.get(chain) ?? workload.pairs.map((pair, index) => rotating(workload.path, pair, index));
    if (begun.length !== connections) throw new Error('Each connection needs one pair');
    chains.set(chain, begun);
    return begun;
  }
  if (workload.kind === 'switch') {
    const chain = `${port} switch`;
    const begun = chains.get(chain) ?? sharesOf(workload.switchers, connections).map(switching);
    chains.set(chain, begun);
    return begun;
  }
  if (workload.kind !== 'fixed') {
    const sourceOf =
      workload.kind === 'passkeys'
        ? twoSteps(workload.holders, passkeyOptions, passkeySignIn)
        : twoSteps(workload.holders, passwordOfCodes, codeRequests());
    return Array.from({ length: connections }, sourceOf);
  }
  const bytes = workload.requests.map((request) => bytesOf(request));
  let sent = 0;
  const next = (): Buffer => {
    sent += 1;
    return bytes[sent % bytes.length] ?? Buffer.alloc(0);
  };
  return Array.from({ length: connections }, () => next);
};

const mutation = `mutation Refresh($refreshToken: String, $accessToken: String) {
  refreshAccessToken(refreshToken: $refreshToken, accessToken: $accessToken) {
    accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt } }`;

/**
 * The network of a client at its n-th request. Limits are for networks, 5,000 refreshes at once and 10 a second, and no
 * real client refreshes as often as the load: each client changes networks after 256, and returns after 65,536.
 */
const clientAddress = (index: number, turn: number): string => `198.18.${index % 256}.${(turn >> 8) % 256}`;

const rotating = (path: string, first: Pair, index: number): NextRequest => {
  let current = first;
  let turn = 0;
  return (answer) => {
    if (answer !== null) current = pairIn(answer.toString('latin1'));
    const from = clientAddress(index, turn);
    turn += 1;
    const { accessToken, refreshToken } = current;
    const body = JSON.stringify({ query: mutation, variables: { refreshToken, accessToken } });
    return bytesOf({ path, body, token: null, from });
  };
};

const switchMutation = `mutation Switch($id: ID!) {
  switchOrganization(organizationId: $id) { accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt } }`;

/** A user may switch 100 times at once, so the load moves on to the next one before that. */
const switchesOfUser = 80;

const sharesOf = (switchers: readonly Switcher[], connections: number): readonly (readonly Switcher[])[] =>
  Array.from({ length: connections }, (_, index) => switchers.filter((_each, place) => place % connections === index));

const switching = (switchers: readonly Switcher[]): NextRequest => {
  const tokens = switchers.map(({ accessToken }) => accessToken);
  let sent = 0;
  let last = 0;
  return (answer) => {
    if (answer !== null) tokens[last] = pairIn(answer.toString('latin1')).accessToken;
    last = Math.floor(sent / switchesOfUser) % switchers.length;
    const id = switchers[last]?.organizationIds[sent % 2];
    sent += 1;
    const body = JSON.stringify({ query: switchMutation, variables: { id } });
    return bytesOf({ path: '/graphql', body, token: tokens[last] ?? null });
  };
};

const pairIn = (answer: string): Pair => {
  const [access, refresh] = [/"accessToken":"([^"]+)"/.exec(answer)?.[1], /"refreshToken":"([^"]+)"/.exec(answer)?.[1]];
  if (access === undefined || refresh === undefined) throw new Error('An answer without a new pair');
  return { accessToken: access, refreshToken: refresh };
};
