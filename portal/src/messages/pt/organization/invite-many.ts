/** The messages of ../../en/organization/invite-many.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invite-many.ts';

export const inviteMany: Translated<typeof english.inviteMany> = {
  title: 'Convidar muitas pessoas',
  addresses: 'Endereços de e-mail',
  addressesHint:
    'De uma coluna, uma lista ou os destinatários de um e-mail: separados por quebras de linha, vírgulas, pontos e vírgulas ou espaços.',
  counted: '{count, plural, =0 {Nenhum endereço ainda} one {# endereço} other {# endereços}}',
  missing: 'Cole pelo menos um endereço.',
  tooMany: '{count, number} endereços: no máximo {most, number} por vez.',
  check: 'Verificar os endereços',
  preview: {
    title: 'Nada foi enviado ainda',
    ready:
      '{count, plural, =0 {Nenhum convite seria enviado} one {# convite seria enviado} other {# convites seriam enviados}}',
    submit: '{count, plural, one {Enviar # convite} other {Enviar # convites}}',
    change: 'Alterar a lista',
  },
  report: {
    title: 'A lista foi processada',
    sent: '{count, plural, =0 {Nenhum convite foi enviado} one {# convite está a caminho} other {# convites estão a caminho}}',
    another: 'Convidar outras pessoas',
    differs: 'Desde a prévia, os membros, os lugares ou os limites mudaram: o relatório abaixo mostra o que aconteceu.',
  },
  notInvited: '{count, plural, one {# endereço fica de fora} other {# endereços ficam de fora}}',
  outcomes: {
    INVITED: 'Convite enviado',
    RENEWED: 'Novo convite: o link anterior tinha expirado',
    MEMBER: 'Já é membro',
    ALREADY_INVITED: 'Já tem um convite',
    OWN_ADDRESS: 'É seu próprio endereço',
    MALFORMED: 'Não é um endereço de e-mail',
    REPEATED: 'Está duas vezes na lista',
    NO_SEAT: 'Não há mais lugares no plano',
    TOO_MANY_MAILS: 'E-mails de convite demais no momento: tente de novo mais tarde',
    NOT_ALLOWED: 'Tinha um convite com uma função que você não pode atribuir',
  },
  columns: { address: 'Endereço', outcome: 'O que acontece' },
  plan: 'Ver o plano',
};
