/** The messages of ../../en/platform/console-overview.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-overview.ts';

export const overview: Translated<typeof english.overview> = {
  title: 'Vue d’ensemble',
  lead: 'Ce qui s’est passé dans le service, et ce qui attend ou échoue maintenant.',
  period: 'Période',
  periods: { HOURS_24: 'Dernières 24 heures', DAYS_30: '30 derniers jours' },
  signIns: 'Connexions',
  refused: 'Connexions refusées',
  ended: 'Sessions terminées',
  calls: 'Appels d’outils MCP',
  denied: '{count, plural, =0 {aucun refusé ou en échec} one {# refusé ou en échec} other {# refusés ou en échec}}',
  active: 'Sessions et jetons actifs',
  moreThan: 'Plus de {count, number}',
  mails: 'E-mails en attente',
  oldest: 'le plus ancien depuis {seconds, plural, one {# seconde} other {# secondes}}',
  jobs: 'Tâches planifiées',
  jobsWork: 'Toutes fonctionnent',
  jobsFail: '{count, plural, one {# échoue : {names}} other {# échouent : {names}}}',
  seeSignIns: 'Voir les connexions',
  seeRefused: 'Voir toutes les tentatives',
  seeSessions: 'Voir les sessions',
  seeCalls: 'Voir les appels',
  plot: '{name}, par {unit, select, hour {heure} other {jour}}',
  noData: 'Aucune donnée.',
  noDataBefore: 'Aucune donnée avant {when}.',
  noDataCell: 'aucune donnée',
  table: 'Les chiffres dans un tableau',
  columns: { when: 'Quand', count: 'Nombre' },
};
