/** The messages of ../../en/organization/members.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/members.ts';

export const members: Translated<typeof english.members> = {
  security: 'Segurança da organização',
  tokens: 'Tokens e contas de serviço',
  clients: 'Clientes conectados',
  audit: 'Registro de auditoria',
  title: 'Membros',
  lead: 'Quem pertence a {organization} e quem recebeu um convite.',
  left: 'Você saiu de {organization}.',
  list: 'Pessoas',
  role: 'Função:',
  status: 'Situação:',
  statuses: { JOINED: 'Membros', INVITED: 'Convites', EXPIRED: 'Convites expirados' },
  columns: { person: 'Pessoa', role: 'Função', since: 'Desde', actions: 'Ações' },
  seats:
    '{members, plural, one {# membro} other {# membros}} e {open, plural, one {# convite aberto} other {# convites abertos}}',
  seatsOf:
    '{taken, number} de {limit, number} lugares ocupados: {members, plural, one {# membro} other {# membros}} e {open, plural, one {# convite aberto} other {# convites abertos}}',
  noFilterMatches: 'Nenhum membro corresponde a estes filtros.',
  search: 'Buscar por nome ou endereço',
  shown: '{total, plural, one {# pessoa} other {# pessoas}}',
  shownOf: 'Exibindo {shown, number} de {total, number}',
  noMatches: 'Nenhum membro tem “{search}” no nome ou no endereço.',
  clearSearch: 'Mostrar todos os membros',
  you: 'Você',
  invited: 'Convite enviado',
  expired: 'Convite expirado',
  joined: 'Membro desde {date}',
  openUntil: 'Convite aberto até {date}',
  expiredOn: 'O link expirou em {date}',
  roleOf: 'Função de {person}:',
  actionsFor: 'Ações para {person}',
};

export const memberActions: Translated<typeof english.memberActions> = {
  resend: 'Enviar o convite de novo',
  withdraw: 'Retirar o convite',
  remove: 'Remover da organização',
  leave: 'Sair da organização',
  done: {
    resend: 'Um novo link está a caminho de {email}. O link anterior não funciona mais.',
    withdraw: 'O convite para {email} foi retirado. O link dele não funciona mais.',
    remove: '{person} não é mais membro.',
    leave: 'Você saiu de {organization}.',
    role: '{person} agora tem a função {role}.',
  },
  confirm: {
    withdraw: {
      title: 'Retirar o convite para {email}?',
      text: 'O link da mensagem para de funcionar imediatamente. Você pode convidar este endereço de novo a qualquer momento.',
      submit: 'Retirar convite',
    },
    remove: {
      title: 'Remover {person} de {organization}?',
      text: 'Todas as sessões de {email} nesta organização terminam imediatamente. A conta continua existindo, e você pode convidá-la de novo.',
      textWithTokens:
        'Todas as sessões e todos os tokens pessoais de {email} nesta organização terminam imediatamente. A conta continua existindo, e você pode convidá-la de novo.',
      submit: 'Remover membro',
    },
    leave: {
      title: 'Sair de {organization}?',
      text: 'Suas sessões nela terminam imediatamente, por isso talvez você precise entrar de novo. Você só pode voltar com um novo convite.',
      textWithTokens:
        'Suas sessões e seus tokens pessoais nela terminam imediatamente, por isso talvez você precise entrar de novo. Você só pode voltar com um novo convite.',
      submit: 'Sair da organização',
    },
    makeOwner: {
      title: 'Tornar {person} proprietário?',
      text: 'Proprietários podem fazer tudo em {organization}: alterar o nome e o plano, e alterar ou remover qualquer membro, inclusive você.',
      submit: 'Tornar proprietário',
    },
    unmakeOwner: {
      title: 'Tirar de {person} a função de proprietário?',
      text: '{email} terá a função {role}. As sessões continuam ativas, mas não permitem mais o que só proprietários podem fazer.',
      submit: 'Alterar função',
    },
    ownRole: {
      title: 'Alterar sua própria função?',
      text: 'A partir de agora, você terá a função {role}. Só outro membro pode devolver sua função atual a você.',
      submit: 'Alterar minha função',
    },
  },
};

export const invite: Translated<typeof english.invite> = {
  open: 'Convidar um membro',
  title: 'Convidar um membro',
  lead: 'A pessoa recebe um e-mail com um link. Ele funciona uma vez e só para ela.',
  titleMany: 'Convidar muitas pessoas',
  leadMany: 'Cole até 200 endereços de e-mail. Antes de qualquer envio, você vê o que aconteceria com cada um.',
  many: 'Convidar muitas pessoas de uma vez',
  one: 'Convidar uma pessoa',
  role: 'Função',
  roles: {
    MEMBER: 'Vê quem pertence à organização.',
    ADMIN: 'Convida, altera e remove pessoas, mas não proprietários.',
    OWNER: 'Pode fazer tudo, inclusive alterar o nome e o plano.',
  },
  noScopes: 'Só pode entrar na organização.',
  alsoScopes: '{text} Também: {scopes}.',
  moreScopes: '{scopes} · e mais {count, number}',
  seats: {
    owner: 'Ver o plano',
    other: 'Peça um plano maior a um proprietário de {organization}.',
  },
  submit: 'Enviar convite',
  sent: 'O convite está a caminho',
  sentTo: 'Ele vai para <address>{email}</address> e aparece na lista abaixo.',
  openUntil: 'O link dele funciona até {date}.',
};

export const membersForbidden: Translated<typeof english.membersForbidden> = {
  title: 'Você não pode ver os membros',
  text: 'Você pertence a {organization}, mas no momento não pode ver os outros membros.',
  why: 'Motivo:',
  plan: 'Ver o plano',
};
