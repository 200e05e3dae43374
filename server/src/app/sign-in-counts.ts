/** Sign-ins and refreshes on whichever surface they come, told from what the surfaces count. */
import type { Family, Labels, Tally } from '../platform/counts.ts';
import type { Counts, Instrument, Reading } from '../platform/metrics.ts';

/** The operations by which somebody comes in, and how they prove who they are. */
const methods: Readonly<Record<string, string>> = {
  signInWithPassword: 'password',
  exchangeAuthTokens: 'provider',
  completeInvitedProfile: 'invitation',
};

const isRefresh = ({ operation }: Labels): boolean => operation === 'refreshAccessToken';
const isRefreshGrant = ({ grant }: Labels): boolean => grant === 'refresh_token';

export const signInInstruments = ({ operations, tokenRequests }: Counts): readonly Instrument[] => [
  {
    name: 'gatehouse_sign_ins',
    description: 'Attempts to come in, by method and outcome.',
    kind: 'counter',
    read: () =>
      pick(operations, ({ operation = '', outcome = '' }) => {
        const method = methods[operation];
        return method === undefined ? null : { method, outcome };
      }),
  },
  {
    name: 'gatehouse_refreshes',
    description: 'Attempts to refresh a session, by surface and outcome.',
    kind: 'counter',
    read: () => [
      ...pick(operations, (labels) => (isRefresh(labels) ? refreshOn('graphql', labels) : null)),
      ...pick(tokenRequests, (labels) => (isRefreshGrant(labels) ? refreshOn('oauth', labels) : null)),
    ],
  },
];

const refreshOn = (surface: string, { outcome = '' }: Labels): Labels => ({ surface, outcome });

/** The tallies that have a place among others, under the labels that they have there. */
const pick = (family: Family<Tally>, place: (labels: Labels) => Labels | null): readonly Reading[] =>
  Array.from(family.all()).flatMap(({ labels, member }) => {
    const there = place(labels);
    return there === null ? [] : [{ value: member.value, labels: there }];
  });
