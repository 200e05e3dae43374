/**
 * Password review: shown on every signed-in page until answered, once per link. A provider was linked by e-mail address
 * to an account with a password that may have been set by another person. The server asks only in sessions that began
 * with the provider, so this is loaded when it does.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { AccountRefusal } from '../components/account-refusal.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { useProviderName } from '../components/links/provider-link.tsx';
import { Notice } from '../components/notice.tsx';
import { ReviewPasswordDocument } from '../generated/graphql.ts';
import { hasCode } from '../session/refusal.ts';
import { usePerson, useSession } from '../session/session-context.tsx';

export const PasswordReview = () => {
  const t = useTranslations('passwordReview');
  const provider = useProviderName() ?? t('someProvider');
  const { hasPasswordToReview } = usePerson();
  const outcome = useRef<HTMLDivElement>(null);
  const review = useReview(() => outcome.current?.focus());
  const isPending = hasPasswordToReview && !review.isSuccess;
  return (
    <>
      <div ref={outcome} role="status" tabIndex={-1} className={review.isSuccess ? 'outline-none' : 'sr-only'}>
        {review.isSuccess && (
          <Notice tone="success">
            <p>{t(review.variables ? 'kept' : 'removed', { provider })}</p>
          </Notice>
        )}
      </div>
      {isPending && <ReviewPanel provider={provider} review={review} />}
    </>
  );
};

type Review = ReturnType<typeof useReview>;

const useReview = (onAnswered: () => void) => {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (keep: boolean) => session.request(ReviewPasswordDocument, { keep }),
    onSuccess: async () => {
      onAnswered();
      await session.refetchEverywhere();
      await queries.invalidateQueries();
    },
    // The question was answered in another tab.
    onError: (error) => hasCode(error, 'FORBIDDEN') && void session.refetchEverywhere(),
  });
};

const ReviewPanel = ({ provider, review }: { readonly provider: string; readonly review: Review }) => {
  const t = useTranslations('passwordReview');
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="rounded-card border border-line bg-caution-tint p-5 sm:p-6">
      <div className="flex gap-3">
        <Icon name="alert" className="mt-0.5 size-5 shrink-0 text-caution" />
        <div className="min-w-0 space-y-4">
          <div className="space-y-2 leading-relaxed wrap-anywhere">
            <h2 id={headingId} className="text-lg leading-snug font-semibold tracking-[-0.015em]">
              {t('title')}
            </h2>
            <p>{t('text', { provider })}</p>
            <p>{t('consequence', { provider })}</p>
          </div>
          {review.isError && <AccountRefusal error={review.error} />}
          <div className="flex flex-col gap-3 sm:flex-row">
            <Button
              variant="danger"
              busy={review.isPending && !review.variables}
              disabled={review.isPending && review.variables}
              onClick={() => review.mutate(false)}
            >
              {t('remove')}
            </Button>
            <Button
              variant="secondary"
              busy={review.isPending && review.variables}
              disabled={review.isPending && !review.variables}
              onClick={() => review.mutate(true)}
            >
              {t('keep')}
            </Button>
          </div>
        </div>
      </div>
    </section>
  );
};
