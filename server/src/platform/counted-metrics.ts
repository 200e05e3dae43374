/** What is counted where it happens, under the names by which it is told. */
import type { Family, Histogram, Tally } from './counts.ts';
import type { Exported, Histograms } from './metric-data.ts';
import type { Counts, Instrument } from './metrics.ts';

export const exportedCounts = (counts: Counts): Exported => ({
  instruments: instrumentsOf(counts),
  histograms: histogramsOf(counts),
});

const instrumentsOf = (counts: Counts): readonly Instrument[] => [
  {
    name: 'http_requests',
    description: 'Requests that were answered, by route and status.',
    kind: 'counter',
    read: () => counts.requests.answers(),
  },
  {
    name: 'http_requests_in_flight',
    description: 'Requests that are not answered yet.',
    kind: 'gauge',
    read: () => [{ value: counts.requests.inFlight }],
  },
  tallied('gatehouse_graphql_operations', 'GraphQL operations, by field at the root and outcome.', counts.operations),
  tallied('mcp_tools_call', 'Calls of tools of Platform MCP.', counts.toolCalls),
  tallied('gatehouse_oauth_token_requests', 'Requests at the token endpoint of OAuth.', counts.tokenRequests),
  tallied('gatehouse_sessions_begun', 'Sessions that began, by how somebody came in.', counts.sessionsBegun),
  tallied('gatehouse_revocations', 'Revocations that ended something, by reason.', counts.revocations),
  tallied(
    'gatehouse_revoked_credentials',
    'Active credentials that were revoked, by reason.',
    counts.revokedCredentials,
  ),
  tallied('gatehouse_rate_limit_refusals', 'What was refused because of a limit.', counts.rateLimitRefusals),
  tallied('gatehouse_mails', 'Attempts to send a mail, by outcome.', counts.mails),
];

const tallied = (name: string, description: string, family: Family<Tally>): Instrument => ({
  name,
  description,
  kind: 'counter',
  read: () => Array.from(family.all(), ({ labels, member }) => ({ value: member.value, labels })),
});

const histogramsOf = (counts: Counts): readonly Histograms[] => [
  {
    name: 'http_request_duration_seconds',
    description: 'From a request to its answer, by route.',
    members: () => counts.requests.durations(),
  },
  {
    name: 'gatehouse_graphql_operation_duration_seconds',
    description: 'From a GraphQL request that was read to its answer, by operation.',
    members: () => counts.operationSeconds.all(),
  },
  single(
    'gatehouse_acceptance_window_seconds',
    'From asking durable storage for a credential to its acceptance.',
    counts.acceptanceSeconds,
  ),
];

export const single = (name: string, description: string, member: Histogram): Histograms => ({
  name,
  description,
  members: () => [{ labels: {}, member }],
});
