/**
 * Ending many sessions: a dry run that says what would end, the confirmation, and the receipt. Nothing ends that the
 * dry run did not count.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import {
  type ReceiptOfManyFragment,
  RevokeOrganizationSessionsDocument,
  RevokeSessionFamiliesDocument,
  RevokeSessionsDocument,
  type SessionFilter,
} from '../../../generated/graphql.ts';
import { refreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import { hasCode } from '../../../session/refusal.ts';
import type { Session } from '../../../session/session.ts';
import { useSession } from '../../../session/session-context.tsx';
import { allConsolePermissions } from '../permissions.ts';
import { allSessions } from './sessions.ts';

/** The sessions to end: chosen ones, all that match a filter, or all that were issued in an organization. */
type Target =
  | { readonly kind: 'chosen'; readonly sessionFamilyIds: readonly string[]; readonly areTokens: boolean }
  | { readonly kind: 'filter'; readonly filter: SessionFilter }
  | { readonly kind: 'organization'; readonly organizationId: string };

/** Whether tokens of machines are to end, and no session of a person. */
const areTokens = (target: Target | undefined): boolean => {
  if (target?.kind === 'filter') return target.filter.kind === 'machine';
  return target?.kind === 'chosen' && target.areTokens;
};

type Receipt = ReceiptOfManyFragment;

const request = async (session: Session, target: Target, expectedCount: number | null): Promise<Receipt> => {
  const dryRun = expectedCount === null;
  if (target.kind === 'filter') {
    return (await session.request(RevokeSessionsDocument, { filter: target.filter, expectedCount, dryRun }))
      .revokeSessions;
  }
  if (target.kind === 'organization') {
    const { organizationId } = target;
    return (await session.request(RevokeOrganizationSessionsDocument, { organizationId, dryRun }))
      .revokeOrganizationSessions;
  }
  const sessionFamilyIds = [...target.sessionFamilyIds];
  return (await session.request(RevokeSessionFamiliesDocument, { sessionFamilyIds, dryRun })).revokeSessionFamilies;
};

export const useBulkRevocation = (onEnded: () => void) => {
  const session = useSession();
  const queries = useQueryClient();
  const resultRef = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useState<Target>();
  const onError = async (error: unknown): Promise<void> => {
    await refreshOnForbidden(session, error);
    if (hasCode(error, 'FORBIDDEN')) await queries.invalidateQueries(allConsolePermissions);
  };
  const dryRun = useMutation({ mutationFn: (asked: Target) => request(session, asked, null), onError });
  const end = useMutation({
    mutationFn: async ({ asked, expected }: { readonly asked: Target; readonly expected: Receipt }) => {
      const send = () => request(session, asked, expected.sessions);
      if (!expected.endsOwnSession) return send();
      // The portal treats it as a sign-out.
      await session.end(send, 'signedOut');
      return undefined;
    },
    onSuccess: () => {
      setTarget(undefined);
      onEnded();
    },
    onError,
    onSettled: () => queries.invalidateQueries(allSessions),
  });
  const { reset: resetEnd } = end;
  const { reset: resetDryRun, mutate: count } = dryRun;
  const start = useCallback(
    (asked: Target): void => {
      resetEnd();
      resetDryRun();
      setTarget(asked);
      count(asked);
    },
    [resetEnd, resetDryRun, count],
  );
  return {
    target,
    preview: dryRun.data,
    receipt: end.data,
    // Kept while the dialog closes, and for the receipt.
    areTokens: areTokens(dryRun.variables),
    busy: end.isPending,
    error: end.error ?? dryRun.error ?? undefined,
    resultRef,
    start,
    confirm: (): void => {
      if (target !== undefined && dryRun.data !== undefined) end.mutate({ asked: target, expected: dryRun.data });
    },
    close: (): void => {
      if (!end.isPending) setTarget(undefined);
    },
  };
};

export type BulkRevocation = ReturnType<typeof useBulkRevocation>;
