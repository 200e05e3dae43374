/** The messages of ../../en/organization/organization-pages.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organization-pages.ts';

export const organizationSecurity: Translated<typeof english.organizationSecurity> = {
  title: 'Sicherheit von {name}',
  lead: 'Wie sich Mitglieder anmelden müssen, bevor sie die Organisation benutzen können.',
  section: 'Zweiter Faktor',
  isRequired: 'Von allen Mitgliedern verlangt',
  isNotRequired: 'Nicht verlangt',
  text: 'Wenn er verlangt wird, können Mitglieder in {name} nichts tun, bis sie in ihrer Sitzung mit einem Passkey oder einem Einmalcode bestätigt haben, dass sie es sind. Sie bleiben angemeldet: Das Portal bittet sie darum, und sie können dort einen zweiten Faktor einrichten.',
  require: 'Zweiten Faktor verlangen',
  stopRequiring: 'Nicht mehr verlangen',
  required: '{name} verlangt jetzt einen zweiten Faktor.',
  notRequired: '{name} verlangt keinen zweiten Faktor mehr.',
  notAllowed: 'Mit Ihrer Rolle in dieser Organisation können Sie das nicht ändern.',
};

export const deleteOrganization: Translated<typeof english.deleteOrganization> = {
  title: '{name} löschen',
  lead: 'Sieben Tage lang kann ein Inhaber die Organisation unverändert wiederherstellen. Danach ist sie endgültig gelöscht.',
  text: 'Mitglieder verlieren sofort den Zugriff, und Einladungen gelten nicht mehr. Alle Inhaber erhalten eine E-Mail.',
  typeName: 'Geben Sie zur Bestätigung {name} ein',
  nameMissing: 'Geben Sie den Namen der Organisation ein.',
  submit: 'Organisation löschen',
  notOwner: 'Nur ein Inhaber kann eine Organisation löschen.',
  SUBSCRIPTION_ACTIVE: 'Die Organisation hat einen laufenden Tarif. Beenden Sie ihn zuerst unter „Tarif“.',
};
