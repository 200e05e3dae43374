/** The messages of ../governance.ts in Portuguese. */
import type { Translated } from '../../languages/translated.ts';
import type * as english from '../governance.ts';

export const governance: Translated<typeof english.governance> = {
  title: 'Sessões',
  lead: 'As sessões ativas de todas as pessoas e programas, as mais recentes primeiro.',
  cannotRevoke: {
    title: 'Você pode ver as sessões, mas não encerrá-las',
    why: 'Encerrar uma sessão exige a permissão sessions:revoke.',
  },
  list: 'Sessões ativas',
  search: 'Buscar por endereço de e-mail',
  hint: 'Escolha um endereço ou uma organização na lista para ver só as sessões correspondentes.',
  audience: 'Para:',
  audiences: { portal: 'Portal', api: 'API', mcp: 'MCP' },
  methods: {
    password: 'entrada com senha',
    invitation: 'entrada por convite',
    google: 'entrada com o Google',
    mcp_oauth: 'conexão como cliente MCP',
    other: 'entrada com {method}',
  },
  filters: {
    person: 'Só {email}',
    onePerson: 'Só uma pessoa',
    organization: 'Só {organization}',
    oneOrganization: 'Só uma organização',
    remove: 'Remover filtro: {filter}',
  },
  invalidFilters: {
    title: 'Um filtro no endereço desta página está errado',
    email: 'Endereço de e-mail',
    audience: 'Público',
    user: 'Pessoa',
    organization: 'Organização',
    notAnId: 'Isto não é um ID.',
    notAnAudience: 'Isto não é um público.',
  },
  onlyPerson: 'Só {email}',
  onlyOrganization: 'Só {organization}',
  total: '{shown, plural, =0 {Nenhuma sessão ativa} one {# sessão ativa} other {# sessões ativas}}',
  moreThan: 'Mais de {shown, plural, one {# sessão ativa} other {# sessões ativas}}',
  shownOfMore: '{shown, number} mostradas; há mais',
  none: 'Nenhuma sessão ativa corresponde a estes filtros.',
  you: 'Você',
  organization: 'Organização',
  noOrganization: 'Nenhuma',
  issued: 'Emitida',
  lastSeen: 'Última atividade',
  expires: 'Expira',
  from: '{when} de {address}',
  neverSeen: 'Ainda sem uso',
  revoke: 'Revogar sessão',
  revokeOf: 'Revogar a sessão de {email}, {device}, emitida em {date}',
  revokeEverywhere: 'Sair de todos os lugares',
  revokeEverywhereOf: 'Sair de todos os lugares: {email}',
  confirm: {
    session: {
      title: 'Revogar uma sessão de {email}?',
      text: 'Isso encerra a sessão de {device}, emitida em {date}. O token de acesso e o token de atualização dela param de funcionar imediatamente. As outras sessões de {email} continuam ativas.',
      submit: 'Revogar sessão',
      own: 'Esta é a sessão que você está usando agora. Você sairá daqui.',
    },
    everywhere: {
      title: 'Encerrar as sessões de {email} em todos os lugares?',
      text: 'Todas as sessões de {email} terminam imediatamente, em todos os dispositivos e programas e em todas as organizações. A conta continua existindo: quem souber a senha pode entrar de novo.',
      submit: 'Sair de todos os lugares',
      own: 'Esta pessoa é você. A sessão que você está usando também termina, e você sairá daqui.',
    },
  },
  result:
    '{count, plural, =0 {Nenhum token de {email} estava mais ativo.} one {# token de {email} estava ativo e foi encerrado.} other {# tokens de {email} estavam ativos e foram encerrados.}}',
};
