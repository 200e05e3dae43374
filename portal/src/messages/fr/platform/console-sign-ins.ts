/** The messages of ../../en/platform/console-sign-ins.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-sign-ins.ts';

export const consoleSignIns: Translated<typeof english.consoleSignIns> = {
  title: 'Connexions',
  lead: 'Les tentatives de connexion, y compris refusées, les plus récentes d’abord. Ce qui a été saisi n’est pas conservé.',
  total: '{total, plural, =0 {Aucune tentative} one {# tentative} other {# tentatives}}',
  moreThan: 'Plus de {total, number} tentatives',
  none: 'Aucune tentative ne correspond à ces filtres.',
  outcome: 'Résultat :',
  success: 'Réussie',
  method: 'Par :',
  network: 'Adresse IP ou réseau',
  from: 'Du',
  to: 'Au',
  onePerson: 'Une seule personne',
  person: '{email} seulement',
  remove: 'Retirer le filtre : {filter}',
  columns: { when: 'Quand', person: 'Personne', outcome: 'Résultat', from: 'Depuis' },
  unknownPerson: 'Aucune personne connue',
  ofPerson: 'Connexions récentes',
  noneOfPerson: 'Aucune connexion n’est enregistrée pour les derniers jours.',
  all: 'Voir toutes les connexions',
};

export const suspension: Translated<typeof english.suspension> = {
  suspend: 'Suspendre',
  reinstate: 'Rétablir',
  confirm: {
    title: 'Suspendre le compte de {email} ?',
    text: 'Toutes les sessions de {email} prennent fin aussitôt, et aucun moyen de connexion ne fonctionne tant que le compte n’est pas rétabli. Un e-mail l’annonce, sans le motif.',
    submit: 'Suspendre',
    reason: 'Motif, pour les super-administrateurs',
    reasonMissing: 'Indiquez le motif, en 200 caractères au plus.',
  },
  confirmReinstate: {
    title: 'Rétablir le compte de {email} ?',
    text: '{email} peut se connecter de nouveau, et reçoit un e-mail qui l’annonce. Les sessions terminées le restent.',
    submit: 'Rétablir',
  },
  done: 'Le compte de {email} est suspendu. {count, plural, =0 {Aucun jeton n’était actif.} one {# jeton était actif et a pris fin.} other {# jetons étaient actifs et ont pris fin.}}',
  reinstated: '{email} peut se connecter de nouveau.',
  list: 'Suspensions',
  by: 'Par {email}, {date}',
  byGone: 'Par un compte qui n’existe plus, {date}',
  lasts: 'Pas levée',
  endedBy: 'Levée par {email}, {date}',
  endedByOperator: 'Levée par un exploitant, {date}',
  columns: { reason: 'Motif', began: 'Début', ended: 'Fin' },
};
