/** The messages of ../../en/shared/common.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/common.ts';

export const common: Translated<typeof english.common> = {
  loading: 'Carregando',
  takesLonger: 'Isto está demorando mais que o normal. Aguarde.',
  tryAgain: 'Tentar de novo',
  cancel: 'Cancelar',
  close: 'Fechar',
  toSignIn: 'Ir para a página de entrada',
  toStart: 'Ir para a página inicial',
  openMailbox: 'Abrir a caixa de correio de desenvolvimento',
  reference: 'Referência',
  language: 'Idioma',
  links: { support: 'Suporte', terms: 'Termos', privacy: 'Privacidade' },
};

export const roles: Translated<typeof english.roles> = {
  OWNER: 'Proprietário',
  ADMIN: 'Administrador',
  MEMBER: 'Membro',
};

export const fields: Translated<typeof english.fields> = {
  name: 'Nome',
  email: 'Endereço de e-mail',
  password: 'Senha',
  showPassword: 'Mostrar senha',
  nameMissing: 'Digite seu nome.',
  organizationNameMissing: 'Digite um nome para a organização.',
  emailMissing: 'Digite seu endereço de e-mail.',
  inviteeEmailMissing: 'Digite o endereço de e-mail da pessoa que você convida.',
  emailShape: 'Isto não parece um endereço de e-mail.',
  passwordMissing: 'Digite sua senha.',
  codeMissing: 'Digite o código.',
  passwordTooWeak: 'Esta senha não atende a todos os requisitos abaixo.',
  passwordTooManyBytes: 'Esta senha ocupa mais de 72 bytes. Use menos emojis ou caracteres acentuados.',
};

export const failures: Translated<typeof english.failures> = {
  OFFLINE: {
    title: 'Sem conexão',
    text: 'Não foi possível acessar o serviço. Verifique sua conexão e tente de novo.',
  },
  noAnswer: {
    title: 'Sem resposta a tempo',
    text: 'O serviço está muito ocupado. O que você pediu pode já ter sido feito ou ser feito em instantes: verifique antes de tentar de novo.',
  },
  UNAVAILABLE: {
    title: 'Indisponível no momento',
    text: 'O serviço não pode responder agora. Tente de novo em instantes.',
  },
  RATE_LIMITED: {
    title: 'Tentativas demais',
    text: 'Aguarde {seconds, plural, =0 {um momento} one {# segundo} other {# segundos}} e tente de novo.',
  },
  ACCOUNT_SUSPENDED: {
    title: 'Sua conta está suspensa',
    text: 'Você não pode entrar até que ela seja reativada. Fale com o operador deste serviço.',
  },
  FORBIDDEN: {
    title: 'Não permitido',
    text: 'Sua função ou o plano da sua organização não permite isso. Um dos dois pode ter acabado de mudar.',
  },
  MEMBERSHIP_REQUIRED: {
    title: 'Nenhuma organização está ativa',
    text: 'Você não pertence mais à organização ou ainda não escolheu uma.',
  },
  NOT_FOUND: {
    title: 'Não existe mais',
    text: 'Pode ter sido removido nesse meio-tempo. Esta página agora mostra a situação atual.',
  },
  INVITATION_NOT_OPEN: {
    title: 'O convite não está mais aberto',
    text: 'Ele foi aceito ou retirado nesse meio-tempo. Esta página agora mostra a situação atual.',
  },
  LAST_OWNER: {
    title: 'Uma organização precisa de um proprietário',
    text: 'Este é o único. Primeiro, torne outro membro proprietário.',
  },
  SEATS_EXHAUSTED: {
    title: 'Não há lugares livres',
    text: 'Membros e convites abertos ocupam todos os lugares do plano da organização. Remover um deles ou contratar um plano maior libera lugares.',
  },
  REAUTHENTICATION_REQUIRED: {
    title: 'Nada foi feito',
    text: 'Para isso, você precisa confirmar sua identidade. Nada mudou.',
  },
  SECOND_FACTOR_REQUIRED: {
    title: 'Nada foi feito',
    text: 'Para isso, é necessária sua chave de acesso ou um código de uso único. Nada mudou.',
  },
  stillSignedIn: 'Nada se perdeu, e sua sessão continua aberta.',
  failed: {
    title: 'Algo deu errado',
    text: 'O problema é nosso. Tente de novo. Se acontecer outra vez, fale com o operador deste serviço.',
  },
  notFound: {
    title: 'Página não encontrada',
    text: 'Não há nada neste endereço. O link pode ser antigo ou ter sido digitado errado.',
  },
};

export const wrongAddress: Translated<typeof english.wrongAddress> = {
  title: 'Este não é o endereço deste serviço',
  text: 'Você está em {here}, onde seu navegador não mantém nenhum acesso. Continue em <right>{there}</right>.',
};
