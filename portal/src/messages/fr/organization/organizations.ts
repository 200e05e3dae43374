/** The messages of ../../en/organization/organizations.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organizations.ts';

export const newOrganization: Translated<typeof english.newOrganization> = {
  title: 'Créer une organisation',
  lead: 'Vous en devenez le propriétaire et pouvez inviter d’autres personnes. Les organisations auxquelles vous appartenez déjà restent telles quelles.',
  name: 'Nom de l’organisation',
  submit: 'Créer l’organisation',
  notSwitchedTitle: 'L’organisation {name} a été créée',
  notSwitched: 'Le passage à cette organisation a échoué. Vous pouvez la choisir parmi vos organisations.',
  open: 'Ouvrir {name}',
};

export const renameOrganization: Translated<typeof english.renameOrganization> = {
  title: 'Nom de l’organisation',
  lead: 'Il est visible par tous les membres et dans toutes les invitations.',
  open: 'Renommer',
  name: 'Nom',
  submit: 'Enregistrer le nom',
  done: 'L’organisation s’appelle maintenant {name}.',
};

export const deletedOrganizations: Translated<typeof english.deletedOrganizations> = {
  open: 'Supprimer cette organisation',
  title: 'Organisations supprimées',
  until: 'Suppression définitive le {date}',
  restore: 'Restaurer',
  restoreOne: 'Restaurer {name}',
  askOwner: 'Un propriétaire peut la restaurer jusque-là.',
};
