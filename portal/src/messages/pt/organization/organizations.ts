/** The messages of ../../en/organization/organizations.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organizations.ts';

export const newOrganization: Translated<typeof english.newOrganization> = {
  title: 'Criar uma organização',
  lead: 'Você será proprietário dela e poderá convidar outras pessoas. As organizações a que você já pertence continuam como estão.',
  name: 'Nome da organização',
  submit: 'Criar organização',
  notSwitchedTitle: '{name} foi criada',
  notSwitched: 'Não foi possível mudar para ela. Você pode escolhê-la entre suas organizações.',
  open: 'Abrir {name}',
};

export const renameOrganization: Translated<typeof english.renameOrganization> = {
  title: 'Nome da organização',
  lead: 'Todos os membros e todos os convites o mostram.',
  open: 'Renomear',
  name: 'Nome',
  submit: 'Salvar nome',
  done: 'A organização agora se chama {name}.',
};

export const deletedOrganizations: Translated<typeof english.deletedOrganizations> = {
  open: 'Excluir esta organização',
  title: 'Organizações excluídas',
  until: 'Exclusão definitiva em {date}',
  restore: 'Restaurar',
  restoreOne: 'Restaurar {name}',
  askOwner: 'Até lá, um proprietário pode restaurá-la.',
};
