/**
 * Revocation by super admins, on every page of the console: state, result with the number of revoked credentials,
 * and errors.
 */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Reasons } from '../../access/reasons.tsx';
import { formatDate, Instant } from '../../components/dates.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { refreshOnForbidden } from '../../session/refresh-on-forbidden.ts';
import { hasCode } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import { allConsolePermissions } from './permissions.ts';

interface RevocationResult {
  readonly revokedCredentials: number;
  readonly revokedAt: string;
}

interface CompletedRevocation<Target> {
  readonly target: Target;
  readonly result: RevocationResult;
}

export interface Revocation<Target> {
  /** Waiting for confirmation. */
  readonly confirming: Target | undefined;
  readonly done: CompletedRevocation<Target> | undefined;
  readonly error: unknown;
  readonly busy: boolean;
  /** Receives the focus when the focused element is unmounted. */
  readonly resultRef: RefObject<HTMLDivElement | null>;
  readonly start: (target: Target) => void;
  readonly confirm: () => void;
  readonly close: () => void;
}

interface RevocationOptions<Target> {
  /** Resolves to undefined when the person's own session has ended with it and no result is shown. */
  readonly revoke: (target: Target) => Promise<RevocationResult | undefined>;
  /** Queries to invalidate afterwards, also after a refusal. */
  readonly invalidates: { readonly queryKey: QueryKey };
}

export const useRevocation = <Target,>({ revoke, invalidates }: RevocationOptions<Target>): Revocation<Target> => {
  const session = useSession();
  const queries = useQueryClient();
  const resultRef = useRef<HTMLDivElement>(null);
  const [confirming, setConfirming] = useState<Target>();
  const [done, setDone] = useState<CompletedRevocation<Target>>();
  const revocation = useMutation({
    mutationFn: revoke,
    onSuccess: (result, target) => {
      setConfirming(undefined);
      if (result === undefined) return;
      setDone({ result, target });
      void queries.invalidateQueries(invalidates);
    },
    onError: async (error) => {
      await refreshOnForbidden(session, error);
      if (hasCode(error, 'FORBIDDEN')) void queries.invalidateQueries(allConsolePermissions);
      void queries.invalidateQueries(invalidates);
    },
  });
  const { isPending, reset } = revocation;
  const start = useCallback(
    (target: Target): void => {
      if (isPending) return;
      reset();
      setDone(undefined);
      setConfirming(() => target);
    },
    [isPending, reset],
  );
  return {
    confirming,
    done,
    error: revocation.isError ? revocation.error : undefined,
    busy: revocation.isPending,
    resultRef,
    start,
    confirm: () => confirming !== undefined && revocation.mutate(confirming),
    close: () => {
      if (revocation.isPending) return;
      revocation.reset();
      setConfirming(undefined);
    },
  };
};

interface RevocationNoticeProps<Target> {
  readonly revocation: Revocation<Target>;
  /** The result as a sentence. */
  readonly message: (done: CompletedRevocation<Target>) => string;
}

export const RevocationNotice = <Target,>({
  revocation: { done, resultRef },
  message,
}: RevocationNoticeProps<Target>) => {
  const t = useTranslations('console.revocation');
  return (
    <div role="status">
      {done !== undefined && (
        <div ref={resultRef} tabIndex={-1} className="p-3 outline-none">
          <Notice tone="success">
            <p className="wrap-anywhere">
              {message(done)}{' '}
              <Instant at={done.result.revokedAt}>
                {t('revokedSince', {
                  instant: formatDate(done.result.revokedAt, { dateStyle: 'medium', timeStyle: 'long' }),
                })}
              </Instant>
            </p>
          </Notice>
        </div>
      )}
    </div>
  );
};

/** The general FORBIDDEN message speaks of roles and plans, which do not apply to super admins. */
export const RevocationProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('console.revocation.notAllowed');
  if (!hasCode(error, 'FORBIDDEN')) return <RefusalNotice error={error} />;
  return (
    <Notice tone="error" title={t('title')}>
      <p>{t('text')}</p>
    </Notice>
  );
};

interface CannotRevokeNoticeProps {
  readonly title: string;
  readonly why: string;
  readonly reasons: readonly string[];
}

/** Explains why the person can view but not revoke. */
export const CannotRevokeNotice = ({ title, why, reasons }: CannotRevokeNoticeProps) => (
  <Notice tone="info" title={title}>
    <p>{why}</p>
    <Reasons reasons={reasons} />
  </Notice>
);
