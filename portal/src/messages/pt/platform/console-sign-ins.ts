/** The messages of ../../en/platform/console-sign-ins.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-sign-ins.ts';

export const consoleSignIns: Translated<typeof english.consoleSignIns> = {
  title: 'Entradas',
  lead: 'Tentativas de entrar, também as recusadas, as mais recentes primeiro. O que foi digitado não é guardado.',
  total: '{total, plural, =0 {Nenhuma tentativa} one {# tentativa} other {# tentativas}}',
  moreThan: 'Mais de {total, number} tentativas',
  none: 'Nenhuma tentativa corresponde a estes filtros.',
  outcome: 'Resultado:',
  success: 'Entrou',
  method: 'Com:',
  network: 'Endereço IP ou rede',
  from: 'De',
  to: 'Até',
  onePerson: 'Só uma pessoa',
  person: 'Só {email}',
  remove: 'Remover filtro: {filter}',
  columns: { when: 'Quando', person: 'Pessoa', outcome: 'Resultado', from: 'De onde' },
  unknownPerson: 'Nenhuma pessoa conhecida',
  ofPerson: 'Entradas recentes',
  noneOfPerson: 'Nenhuma entrada dos últimos dias está registrada.',
  all: 'Ver todas as entradas',
};

export const suspension: Translated<typeof english.suspension> = {
  suspend: 'Suspender',
  reinstate: 'Reativar',
  confirm: {
    title: 'Suspender {email}?',
    text: 'Todas as sessões de {email} terminam imediatamente, e nenhuma forma de entrar funciona até que a conta seja reativada. Um e-mail avisa a pessoa, sem informar o motivo.',
    submit: 'Suspender',
    reason: 'Motivo, para superadministradores',
    reasonMissing: 'Escreva o motivo, com até 200 caracteres.',
  },
  confirmReinstate: {
    title: 'Reativar {email}?',
    text: '{email} pode entrar de novo e recebe um aviso por e-mail. As sessões encerradas continuam encerradas.',
    submit: 'Reativar',
  },
  done: 'A conta {email} foi suspensa. {count, plural, =0 {Nenhum token estava ativo.} one {# token estava ativo e foi encerrado.} other {# tokens estavam ativos e foram encerrados.}}',
  reinstated: '{email} pode entrar de novo.',
  list: 'Suspensões',
  by: 'Por {email}, {date}',
  byGone: 'Por uma conta que não existe mais, {date}',
  lasts: 'Não encerrada',
  endedBy: 'Encerrada por {email}, {date}',
  endedByOperator: 'Encerrada por um operador, {date}',
  columns: { reason: 'Motivo', began: 'Início', ended: 'Fim' },
};
