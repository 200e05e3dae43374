/** The section of the person's recent sign-ins, in pages. */
import { useTranslations } from 'use-intl';
import { Badge } from '../../../components/badge.tsx';
import { formatDate, Instant } from '../../../components/dates.tsx';
import { useDeviceLabel } from '../../../components/device-label.ts';
import { FetchRecentSignInsDocument, type FetchRecentSignInsQuery } from '../../../generated/graphql.ts';
import { ListFrame } from '../../../lists/list-frame.tsx';
import { pagedQuery, usePagedList } from '../../../lists/paged-list.ts';
import type { Session } from '../../../session/session.ts';
import { useSession } from '../../../session/session-context.tsx';
import { success, useMethodLabel, useReasonLabel } from './labels.ts';

type SignIn = FetchRecentSignInsQuery['mySignIns']['nodes'][number];

const perPage = 10;

const signInsQuery = (session: Session) =>
  pagedQuery(session, ['recent-sign-ins'], async (after) => {
    const { mySignIns } = await session.request(FetchRecentSignInsDocument, { first: perPage, after });
    return mySignIns;
  });

export const RecentSignIns = () => {
  const t = useTranslations('recentSignIns');
  const list = usePagedList(signInsQuery(useSession()), 'id');
  const unlisted = list.newest?.unlistedRefusals ?? 0;
  return (
    <ListFrame
      title={t('title')}
      lead={t('lead')}
      list={list}
      shown={(counts, isCapped) => t(isCapped ? 'shownOfMore' : 'shown', counts)}
      none={t('none')}
      note={
        unlisted > 0 && (
          <p className="border-t border-line px-5 py-4 text-soft sm:px-6">{t('unlisted', { count: unlisted })}</p>
        )
      }
    >
      {(signIns) => (
        <ul className="divide-y divide-line">
          {signIns.map((signIn) => (
            <SignInRow key={signIn.id} signIn={signIn} />
          ))}
        </ul>
      )}
    </ListFrame>
  );
};

const SignInRow = ({ signIn: { at, method, outcome, ip, userAgent } }: { readonly signIn: SignIn }) => {
  const t = useTranslations('recentSignIns');
  const device = useDeviceLabel()({ clientName: null, issueUserAgent: userAgent });
  const methodOf = useMethodLabel();
  const reasonOf = useReasonLabel();
  const date = formatDate(at, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li className="space-y-1 px-5 py-4 sm:px-6">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
        <Instant at={at}>{date}</Instant>
        <Badge variant={outcome === success ? 'accent' : 'caution'}>
          {t(outcome === success ? 'succeeded' : 'refused')}
        </Badge>
      </p>
      <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-soft">
        <span>{methodOf(method)}</span>
        {outcome !== success && <span>{reasonOf(outcome)}</span>}
        <span className="tabular-nums">{ip ?? t('addressUnknown')}</span>
        <span className="min-w-0 wrap-anywhere">{device}</span>
      </p>
    </li>
  );
};
