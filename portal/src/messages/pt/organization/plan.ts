/** The messages of ../../en/organization/plan.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/plan.ts';

export const plan: Translated<typeof english.plan> = {
  title: 'Plano',
  lead: 'O plano de {organization} e o que os membros podem fazer com ele.',
  current: {
    title: 'Plano atual',
    none: 'Nenhum plano',
    unnamed: 'Um plano sem nome',
    trialEnds: 'O teste termina em {date}.',
    trialEnded: 'O teste terminou em {date}.',
    periodEnds: 'O período atual termina em {date}.',
    periodEnded: 'O último período terminou em {date}.',
  },
  NONE: {
    badge: 'Sem assinatura',
    meaning:
      'A organização não tem plano, por isso os recursos que precisam de um não estão disponíveis. Contas, entrada e convites recebidos continuam funcionando.',
  },
  ACTIVE: {
    badge: 'Ativo',
    meaning: 'Os membros podem fazer o que o plano inclui e a função deles permite.',
  },
  TRIALING: {
    badge: 'Em teste',
    meaning: 'Durante o teste, os membros podem fazer o que o plano inclui e a função deles permite.',
  },
  PAST_DUE: {
    badge: 'Pagamento em atraso',
    meaning:
      'Um pagamento está em atraso. Os recursos do plano não estão disponíveis até que ele seja pago. Os membros mantêm suas contas e funções.',
  },
  CANCELED: {
    badge: 'Encerrado',
    meaning:
      'O plano terminou, por isso os recursos dele não estão disponíveis. Os membros mantêm suas contas e funções.',
  },
  change: {
    manage: 'Gerenciar a cobrança',
    manageLead: 'Gerencie a forma de pagamento, as faturas e o cancelamento no provedor de pagamentos.',
    subscribe: 'Assinar',
    subscribeTo: 'Assinar {product}',
    choose: 'Escolha um plano abaixo. Você paga no provedor de pagamentos e depois volta para cá.',
    awaited: 'Estamos aguardando a confirmação do provedor de pagamentos.',
    noOther: 'No momento, não há outro plano para escolher.',
    askOwner: 'Proprietários de {organization} podem alterar o plano. Peça a um deles.',
    askOperator:
      'Os planos não podem ser alterados nesta página. Para alterar o seu, fale com o operador deste serviço.',
    notForSale: 'Este plano não pode ser comprado no momento. Fale com o operador deste serviço.',
    nothingPaid: 'Esta organização ainda não pagou nenhum plano. Primeiro, escolha um.',
  },
  checkout: {
    done: {
      title: 'Você concluiu a página de pagamento',
      text: 'O plano muda aqui assim que o provedor de pagamentos confirmar o pagamento.',
    },
    cancelled: {
      title: 'Você saiu da página de pagamento',
      text: 'Você não comprou nada, e o plano não mudou.',
    },
    reload: 'Atualizar',
  },
  allowed: {
    title: 'O que você pode fazer',
    lead: {
      OWNER: 'Sua função e o plano decidem juntos. Você é proprietário de {organization}.',
      ADMIN: 'Sua função e o plano decidem juntos. Você é administrador de {organization}.',
      MEMBER: 'Sua função e o plano decidem juntos. Você é membro de {organization}.',
      other: 'Sua função e o plano decidem juntos. Sua função em {organization} é {role}.',
    },
    granted: 'permitido',
    forbidden: 'não permitido',
    denialReasons: {
      notActive: 'Nenhum plano está ativo.',
      notIncluded: 'O plano não inclui isso.',
      role: 'Sua função não inclui isso.',
    },
    reasons: 'Por quê',
  },
  products: {
    title: 'O que cada plano inclui',
    lead: 'Para membros cuja função permite.',
    current: 'Plano atual',
    nothing: 'Só uma conta',
    members: '{count, plural, one {até # membro} other {até # membros}}',
  },
  scopes: {
    MEMBERS_VIEW: 'Ver quem pertence à organização',
    MEMBERS_INVITE: 'Convidar pessoas',
    MEMBERS_UPDATE: 'Alterar funções',
    MEMBERS_REMOVE: 'Remover pessoas',
    ORGANIZATION_UPDATE: 'Renomear a organização',
    BILLING_MANAGE: 'Pagar e gerenciar a cobrança',
    TOKENS_MANAGE: 'Gerenciar tokens e contas de serviço',
    MCP_MANAGE: 'Gerenciar os clientes MCP conectados',
    AUDIT_VIEW: 'Ver o registro de auditoria da organização',
  },
};
