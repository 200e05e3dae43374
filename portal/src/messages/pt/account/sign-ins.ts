/** The messages of ../../en/account/sign-ins.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/sign-ins.ts';

export const recentSignIns: Translated<typeof english.recentSignIns> = {
  title: 'Entradas recentes',
  lead: 'Tentativas de entrar na sua conta, também as recusadas. Se você não reconhece uma que teve sucesso, saia de todos os dispositivos e altere sua senha.',
  none: 'Nenhuma entrada dos últimos dias está registrada.',
  shown: 'Exibindo {shown, number} de {total, number}',
  shownOfMore: 'Exibindo {shown, number} de mais de {total, number}',
  unlisted:
    '{count, plural, one {# tentativa recusada foi contada, mas não aparece} other {# tentativas recusadas foram contadas, mas não aparecem}} na lista, porque houve mais de cem em um dia.',
  succeeded: 'Entrou',
  refused: 'Recusada',
  addressUnknown: 'Endereço desconhecido',
  methods: {
    password: 'Senha',
    passkey: 'Chave de acesso',
    google: '{provider}',
    invitation: 'Convite',
    other: 'Outra forma',
  },
  reasons: {
    INVALID_CREDENTIALS: 'Senha, código ou chave de acesso errados',
    SECOND_FACTOR_REQUIRED: 'Foi pedido um segundo fator',
    CHALLENGE_REFUSED: 'Demorou demais ou já tinha sido concluída',
    EXCHANGE_REFUSED: 'Demorou demais ou já tinha sido concluída',
    EMAIL_NOT_VERIFIED: 'O endereço de e-mail não estava confirmado',
    ACCOUNT_SUSPENDED: 'A conta estava suspensa',
    ACCOUNT_MISMATCH: 'Outra pessoa estava com a sessão aberta',
    ACCOUNT_EXISTS: 'O provedor não garante o endereço',
    ACCOUNT_HAS_OTHER_IDENTITY: 'Outra conta no provedor',
    INVITATION_NOT_OPEN: 'O convite não estava aberto',
    other: 'Recusada',
  },
};
