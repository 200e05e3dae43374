/** GraphQL query of super admins on the state of the service. */
import {
  type ActivityRow,
  getOverview,
  overviewPeriods,
  type PlatformOverview,
} from '../../../domain/tools/platform-overview.ts';
import { builder } from '../../builder.ts';
import { guarded, operations } from '../../operations.ts';

const OverviewPeriod = builder.enumType('OverviewPeriod', {
  description: 'HOURS_24: the last 24 hours, by hours. DAYS_30: the last 30 days, by days. Both in UTC.',
  values: overviewPeriods,
});

const PlatformActivity = builder.objectRef<ActivityRow>('PlatformActivity').implement({
  description: 'What happened in one hour or day.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'Inclusive.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Exclusive.' }),
    signIns: t.exposeInt('signIns'),
    refusedSignIns: t.exposeInt('refusedSignIns', { description: 'Those that the history of sign-ins lists.' }),
    endedSessions: t.exposeInt('endedSessions', {
      description: 'By people, super admins, clients or a rule; not those that expired or were replaced.',
    }),
  }),
});

const PlatformOverviewType = builder.objectRef<PlatformOverview>('PlatformOverview').implement({
  fields: (t) => ({
    activity: t.field({ type: [PlatformActivity], resolve: ({ activity }) => [...activity] }),
    historySince: t.expose('historySince', {
      type: 'DateTime',
      nullable: true,
      description:
        'The oldest attempt to sign in that is kept; null when none is. Of the time before it, signIns and refusedSignIns say nothing.',
    }),
    activeSessions: t.int({
      description: 'Tokens of machines included; counted up to 10000.',
      resolve: ({ activeSessions }) => activeSessions.totalCount,
    }),
    activeSessionsAreCapped: t.boolean({
      description: 'Whether there are more than activeSessions.',
      resolve: ({ activeSessions }) => activeSessions.totalCountIsCapped,
    }),
    waitingMails: t.int({
      description: 'Mails that wait to be sent, counted up to 100000.',
      resolve: ({ mails }) => mails.depth,
    }),
    oldestMailSeconds: t.int({
      nullable: true,
      description: 'Age of the oldest mail that waits; null when none does.',
      resolve: ({ mails }) => (mails.oldestSeconds === null ? null : Math.round(mails.oldestSeconds)),
    }),
    failingJobs: t.stringList({
      description: 'Names of the scheduled jobs whose last run failed.',
      resolve: ({ failingJobs }) => [...failingJobs],
    }),
  }),
});

builder.queryField('platformOverview', (t) =>
  t.field({
    type: PlatformOverviewType,
    description: 'Super admin with sessions:view. Sign-ins, ended sessions, and what waits or fails now.',
    args: { period: t.arg({ type: OverviewPeriod, defaultValue: 'HOURS_24' }) },
    resolve: guarded(operations.platformOverview, (_actor, { period }, { services }) =>
      getOverview(services, period ?? 'HOURS_24'),
    ),
  }),
);
