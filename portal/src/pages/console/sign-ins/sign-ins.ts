/** Attempts to sign in as data: the filter in the URL, and the paged query. */
import { FetchSignInsDocument, type FetchSignInsQuery, type SignInFilter } from '../../../generated/graphql.ts';
import { pagedQuery } from '../../../session/paged-query.ts';
import type { Session } from '../../../session/session.ts';

export type SignInRow = FetchSignInsQuery['signIns']['nodes'][number];

const names = ['user', 'outcome', 'method', 'network', 'from', 'to'] as const;

/** Raw values of the URL; the service refuses a malformed one by its name. */
export type SignInsView = Readonly<Partial<Record<(typeof names)[number], string>>>;

export const readSignInsView = (search: SignInsView): SignInsView =>
  Object.fromEntries(names.flatMap((name) => (search[name]?.trim() ? [[name, search[name]]] : [])));

const instant = (value: string | undefined): string | null => {
  const moment = new Date(value ?? '');
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
};

const toSignInFilter = ({ user, outcome, method, network, from, to }: SignInsView): SignInFilter => ({
  userId: user ?? null,
  outcome: outcome ?? null,
  method: method ?? null,
  network: network?.trim() ?? null,
  from: instant(from),
  to: instant(to),
});

const first = 50;

export const signInsQuery = (session: Session, view: SignInsView, rows = first) =>
  pagedQuery(session, ['console', 'sign-ins', view, rows], async (after) => {
    const variables = { first: rows, after, filter: toSignInFilter(view) };
    return (await session.request(FetchSignInsDocument, variables)).signIns;
  });
