/** Owns the report on each address of a list: the preview before anything is sent, and the result afterwards. */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { DataTable } from '../../../lists/data-table.tsx';
import type { AddressList, Reports } from './addresses.ts';

type Report = Reports[number];

const isInvited = ({ outcome }: Report): boolean => outcome === 'INVITED' || outcome === 'RENEWED';

interface ListPreviewProps {
  readonly list: AddressList;
  readonly reports: Reports;
  /** Who can change the plan when its seats are taken. */
  readonly isOwner: boolean;
  readonly busy: boolean;
  readonly problem: ReactNode;
  readonly onSend: () => void;
  readonly onChange: () => void;
}

export const ListPreview = (props: ListPreviewProps) => {
  const { list, reports, isOwner, busy, problem, onSend, onChange } = props;
  const t = useTranslations('inviteMany');
  const count = reports.filter(isInvited).length;
  const needsSeats = reports.some(({ outcome }) => outcome === 'NO_SEAT');
  return (
    <div className="space-y-5 px-5 py-5 sm:px-6">
      <Announced>
        <Notice tone="info" title={t('preview.title')}>
          <p>
            {t('preview.ready', { count })}. <LeftOut reports={reports} />
          </p>
          {needsSeats && isOwner && (
            <Link to="/plan" className="text-link">
              {t('plan')}
            </Link>
          )}
        </Notice>
      </Announced>
      {problem}
      <ReportTable list={list} reports={reports} />
      <div className="flex flex-col gap-3 sm:flex-row">
        {count > 0 && (
          <Button busy={busy} onClick={onSend}>
            {t('preview.submit', { count })}
          </Button>
        )}
        <Button variant="secondary" disabled={busy} onClick={onChange}>
          {t('preview.change')}
        </Button>
      </div>
    </div>
  );
};

interface ListReportProps {
  readonly list: AddressList;
  readonly reports: Reports;
  readonly preview: Reports | undefined;
  readonly onAnother: () => void;
  readonly onClose: () => void;
}

export const ListReport = ({ list, reports, preview, onAnother, onClose }: ListReportProps) => {
  const t = useTranslations('inviteMany');
  const close = useTranslations('common')('close');
  const count = reports.filter(isInvited).length;
  const differs = reports.some(({ outcome }, at) => outcome !== preview?.[at]?.outcome);
  return (
    <div className="space-y-5 px-5 py-5 sm:px-6">
      <Announced>
        <Notice tone={count > 0 ? 'success' : 'info'} title={t('report.title')}>
          <p>
            {t('report.sent', { count })}. <LeftOut reports={reports} />
          </p>
          {differs && <p>{t('report.differs')}</p>}
        </Notice>
      </Announced>
      <ReportTable list={list} reports={reports} />
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button onClick={onAnother}>{t('report.another')}</Button>
        <Button variant="secondary" onClick={onClose}>
          {close}
        </Button>
      </div>
    </div>
  );
};

/** Takes the focus from the button that is gone. */
const Announced = ({ children }: { readonly children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} role="status" tabIndex={-1} className="outline-none">
      {children}
    </div>
  );
};

const LeftOut = ({ reports }: { readonly reports: Reports }) => {
  const t = useTranslations('inviteMany');
  const count = reports.filter((report) => !isInvited(report)).length;
  return count > 0 && `${t('notInvited', { count })}.`;
};

interface ReportTableProps {
  readonly list: AddressList;
  readonly reports: Reports;
}

/** Those that are left out come first, and those that had been invited before. It scrolls: the buttons stay near. */
const ReportTable = ({ list, reports }: ReportTableProps) => {
  const t = useTranslations('inviteMany');
  const rows = [
    ...reports.filter((report) => !isInvited(report)),
    ...reports.filter(({ outcome }) => outcome === 'RENEWED'),
    ...reports.filter(({ outcome }) => outcome === 'INVITED'),
  ];
  return (
    <section
      aria-label={t('title')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      className="max-h-[26rem] overflow-y-auto rounded-control border border-line"
    >
      <DataTable
        label={t('title')}
        rows={rows}
        keyOf={({ position }) => String(position)}
        columns={[
          {
            key: 'address',
            heading: t('columns.address'),
            width: 'sm:w-1/2',
            cell: ({ email, position }) => <bdi>{email ?? list.addresses[position]}</bdi>,
          },
          {
            key: 'outcome',
            heading: t('columns.outcome'),
            cell: (report) =>
              isInvited(report) ? (
                <Badge variant="accent">{t(`outcomes.${report.outcome}`)}</Badge>
              ) : (
                <span className="text-soft">{t(`outcomes.${report.outcome}`)}</span>
              ),
          },
        ]}
      />
    </section>
  );
};
