/** The messages of ../../en/organization/organizations.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organizations.ts';

export const newOrganization: Translated<typeof english.newOrganization> = {
  title: 'Organisation erstellen',
  lead: 'Sie werden ihr Inhaber und können andere einladen. Die Organisationen, denen Sie schon angehören, bleiben, wie sie sind.',
  name: 'Name der Organisation',
  submit: 'Organisation erstellen',
  notSwitchedTitle: '{name} wurde erstellt',
  notSwitched: 'Der Wechsel dorthin ist fehlgeschlagen. Sie können sie unter Ihren Organisationen auswählen.',
  open: '{name} öffnen',
};

export const renameOrganization: Translated<typeof english.renameOrganization> = {
  title: 'Name der Organisation',
  lead: 'Alle Mitglieder und alle Einladungen zeigen ihn.',
  open: 'Umbenennen',
  name: 'Name',
  submit: 'Namen speichern',
  done: 'Die Organisation heißt jetzt {name}.',
};

export const deletedOrganizations: Translated<typeof english.deletedOrganizations> = {
  open: 'Diese Organisation löschen',
  title: 'Gelöschte Organisationen',
  until: 'Wird am {date} endgültig gelöscht',
  restore: 'Wiederherstellen',
  restoreOne: '{name} wiederherstellen',
  askOwner: 'Bis dahin kann ein Inhaber sie wiederherstellen.',
};
