/** The messages of ../../en/platform/console-overview.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-overview.ts';

export const overview: Translated<typeof english.overview> = {
  title: 'Visão geral',
  lead: 'O que aconteceu no serviço, e o que agora espera ou falha.',
  period: 'Período',
  periods: { HOURS_24: 'Últimas 24 horas', DAYS_30: 'Últimos 30 dias' },
  signIns: 'Entradas',
  refused: 'Entradas recusadas',
  ended: 'Sessões encerradas',
  calls: 'Chamadas de ferramentas MCP',
  denied:
    '{count, plural, =0 {nenhuma negada ou com falha} one {# negada ou com falha} other {# negadas ou com falha}}',
  active: 'Sessões e tokens ativos',
  moreThan: 'Mais de {count, number}',
  mails: 'E-mails em espera',
  oldest: 'o mais antigo há {seconds, plural, one {# segundo} other {# segundos}}',
  jobs: 'Tarefas agendadas',
  jobsWork: 'Todas funcionam',
  jobsFail: '{count, plural, one {# falha: {names}} other {# falham: {names}}}',
  seeSignIns: 'Ver as entradas',
  seeRefused: 'Ver todas as tentativas',
  seeSessions: 'Ver as sessões',
  seeCalls: 'Ver as chamadas',
  plot: '{name}, por {unit, select, hour {hora} other {dia}}',
  noData: 'Sem dados.',
  noDataBefore: 'Sem dados antes de {when}.',
  noDataCell: 'sem dados',
  table: 'Os números em uma tabela',
  columns: { when: 'Quando', count: 'Número' },
};
