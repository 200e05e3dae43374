/** The messages of ../../en/organization/organization-pages.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organization-pages.ts';

export const organizationSecurity: Translated<typeof english.organizationSecurity> = {
  title: 'Segurança de {name}',
  lead: 'Como os membros precisam entrar antes de poder usar a organização.',
  section: 'Segundo fator',
  isRequired: 'Exigido de todos os membros',
  isNotRequired: 'Não exigido',
  text: 'Quando ele é exigido, os membros não podem fazer nada em {name} até confirmarem com uma chave de acesso ou um código de uso único na sessão. A sessão deles continua aberta: o portal pede essa confirmação, e eles podem configurar um segundo fator nele.',
  require: 'Exigir um segundo fator',
  stopRequiring: 'Deixar de exigir',
  required: '{name} agora exige um segundo fator.',
  notRequired: '{name} não exige mais um segundo fator.',
  notAllowed: 'Sua função nesta organização não permite alterar isso.',
};

export const deleteOrganization: Translated<typeof english.deleteOrganization> = {
  title: 'Excluir {name}',
  lead: 'Por sete dias, um proprietário pode restaurá-la como estava. Depois, ela é excluída definitivamente.',
  text: 'Os membros perdem o acesso imediatamente, e os convites deixam de funcionar. Cada proprietário recebe um e-mail.',
  typeName: 'Digite {name} para confirmar',
  nameMissing: 'Digite o nome da organização.',
  submit: 'Excluir a organização',
  notOwner: 'Só um proprietário pode excluir uma organização.',
  SUBSCRIPTION_ACTIVE: 'A organização tem um plano em vigor. Encerre-o primeiro, em “Plano”.',
};
