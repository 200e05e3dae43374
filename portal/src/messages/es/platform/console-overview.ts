/** The messages of ../../en/platform/console-overview.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-overview.ts';

export const overview: Translated<typeof english.overview> = {
  title: 'Resumen',
  lead: 'Lo que ocurrió en el servicio, y lo que ahora espera o falla.',
  period: 'Periodo',
  periods: { HOURS_24: 'Últimas 24 horas', DAYS_30: 'Últimos 30 días' },
  signIns: 'Inicios de sesión',
  refused: 'Inicios de sesión rechazados',
  ended: 'Sesiones terminadas',
  calls: 'Llamadas a herramientas MCP',
  denied: '{count, plural, =0 {ninguna denegada ni fallida} one {# denegada o fallida} other {# denegadas o fallidas}}',
  active: 'Sesiones y tokens activos',
  moreThan: 'Más de {count, number}',
  mails: 'Correos en espera',
  oldest: 'el más antiguo, desde hace {seconds, plural, one {# segundo} other {# segundos}}',
  jobs: 'Tareas programadas',
  jobsWork: 'Todas funcionan',
  jobsFail: '{count, plural, one {# falla: {names}} other {# fallan: {names}}}',
  seeSignIns: 'Ver los inicios de sesión',
  seeRefused: 'Ver todos los intentos',
  seeSessions: 'Ver las sesiones',
  seeCalls: 'Ver las llamadas',
  plot: '{name}, por {unit, select, hour {horas} other {días}}',
  noData: 'Sin datos.',
  noDataBefore: 'Sin datos antes del {when}.',
  noDataCell: 'sin datos',
  table: 'Las cifras en una tabla',
  columns: { when: 'Cuándo', count: 'Número' },
};
