/** The messages of ../../en/shared/frame.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/frame.ts';

export const frame: Translated<typeof english.frame> = {
  skip: 'Ir para o conteúdo',
  navigation: 'Navegação principal',
  home: 'Início',
  account: 'Conta',
  members: 'Membros',
  plan: 'Plano',
  console: 'Console',
  signOut: 'Sair',
  signedInAs: 'Você entrou como {email}',
  notSignedOut: {
    title: 'Sua sessão continua aberta',
    text: 'Para sair, é preciso ter conexão com o serviço. Pressione “Sair” de novo quando houver.',
  },
};

export const lists: Translated<typeof english.lists> = {
  showMore: 'Mostrar mais',
  reload: 'Atualizar',
  clear: 'Limpar filtros',
  any: 'Todos',
};

export const switcher: Translated<typeof english.switcher> = {
  label: 'Organização:',
  none: 'Nenhuma organização',
  yours: 'Suas organizações',
  create: 'Criar uma organização',
  switched: 'Agora você está em {name}.',
  notSwitched: 'Você está em {name}.',
};

export const noOrganization: Translated<typeof english.noOrganization> = {
  title: 'Nenhuma organização está ativa',
  choose: 'Escolha aquela em que você quer trabalhar.',
  open: 'Abrir {name}',
  none: 'Você não pertence a nenhuma organização. Crie uma ou peça a um membro de outra organização que convide você: o link do convite permite participar dela.',
  create: 'Criar uma organização',
};
