/** Attempts to sign in as data: the filter in the URL, and the paged query. */
import { FetchSignInsDocument, type FetchSignInsQuery, type SignInFilter } from '../../../generated/graphql.ts';
import { type Address, instantOf, useListView } from '../../../lists/list-view.ts';
import { pagedQuery } from '../../../lists/paged-list.ts';
import type { Session } from '../../../session/session.ts';

export type SignInRow = FetchSignInsQuery['signIns']['nodes'][number];

const names = ['user', 'outcome', 'method', 'network', 'from', 'to'] as const;

/** Raw values of the URL; the service refuses a malformed one by its name. */
export type SignInsView = Readonly<Partial<Record<(typeof names)[number], string | undefined>>>;

const readSignInsView = (address: Address): SignInsView =>
  Object.fromEntries(names.flatMap((name) => (address[name]?.trim() ? [[name, address[name]]] : [])));

export const useSignInsView = () => useListView(readSignInsView);

const toSignInFilter = ({ user, outcome, method, network, from, to }: SignInsView): SignInFilter => ({
  userId: user ?? null,
  outcome: outcome ?? null,
  method: method ?? null,
  network: network?.trim() ?? null,
  from: instantOf(from) ?? null,
  to: instantOf(to) ?? null,
});

const first = 50;

export const signInsQuery = (session: Session, view: SignInsView, rows = first) =>
  pagedQuery(session, ['console', 'sign-ins', view, rows], async (after) => {
    const variables = { first: rows, after, filter: toSignInFilter(view) };
    return (await session.request(FetchSignInsDocument, variables)).signIns;
  });
