/** The messages of ../../en/organization/organization-pages.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organization-pages.ts';

export const organizationSecurity: Translated<typeof english.organizationSecurity> = {
  title: 'Sécurité de {name}',
  lead: 'Comment les membres doivent se connecter avant de pouvoir utiliser l’organisation.',
  section: 'Second facteur',
  isRequired: 'Exigé de tous les membres',
  isNotRequired: 'Non exigé',
  text: 'Lorsqu’il est exigé, les membres ne peuvent rien faire dans {name} tant qu’ils n’ont pas confirmé leur identité dans leur session avec une clé d’accès ou un code à usage unique. Ils restent connectés : le portail le leur demande, et ils peuvent y en configurer un.',
  require: 'Exiger un second facteur',
  stopRequiring: 'Ne plus l’exiger',
  required: '{name} exige maintenant un second facteur.',
  notRequired: '{name} n’exige plus de second facteur.',
  notAllowed: 'Votre rôle dans cette organisation ne vous permet pas de modifier cela.',
};

export const deleteOrganization: Translated<typeof english.deleteOrganization> = {
  title: 'Supprimer {name}',
  lead: 'Pendant sept jours, un propriétaire peut la restaurer telle qu’elle était. Ensuite, elle est définitivement supprimée.',
  text: 'Les membres perdent aussitôt l’accès, et les invitations cessent de fonctionner. Chaque propriétaire reçoit un e-mail.',
  typeName: 'Saisissez {name} pour confirmer',
  nameMissing: 'Saisissez le nom de l’organisation.',
  submit: 'Supprimer l’organisation',
  notOwner: 'Seul un propriétaire peut supprimer une organisation.',
  SUBSCRIPTION_ACTIVE: 'L’organisation a un forfait en cours. Mettez-y d’abord fin, sous « Forfait ».',
};
