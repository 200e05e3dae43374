/** The messages of ../../en/sign-in/step-up.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/step-up.ts';

export const stepUp: Translated<typeof english.stepUp> = {
  title: 'Confirme sua identidade',
  lead: 'Já faz um tempo que você entrou. O que você começou continua depois disto.',
  leadSecondFactor: 'Isto exige mais do que sua senha. O que você começou continua depois disto.',
  pageLead: 'Já faz um tempo que você entrou. Você continua depois disto.',
  pageLeadSecondFactor: 'Isto exige mais do que sua senha. Você continua depois disto.',
  password: 'Sua senha',
  submit: 'Confirmar',
  wrongPassword: 'A senha está errada.',
  code: 'Código do seu aplicativo autenticador ou um código de recuperação',
  submitCode: 'Confirmar com o código',
  wrongCode: 'O código está errado ou já foi usado.',
  withProvider: 'Confirmar com {provider}',
  providerLeaves: 'Você sai desta página, vai para {provider} e depois volta. Quando voltar, comece de novo.',
  nothing:
    'Sua conta não tem senha, chave de acesso nem código que possa ser pedido aqui. Saia e entre de novo: nos dez minutos seguintes, a confirmação não é pedida.',
  noSecondFactor:
    'Sua conta ainda não tem um segundo fator. Configure uma chave de acesso ou códigos de uso único em “Conta”, “Segurança”, e continue de lá.',
  setUp: 'Configurar um segundo fator',
};

export const secondFactorNeeded: Translated<typeof english.secondFactorNeeded> = {
  organization: {
    title: '{organization} exige um segundo fator',
    text: 'Nessa organização, não basta entrar com uma senha ou um provedor: você não pode usá-la até confirmar com uma chave de acesso ou um código de uso único. Você ainda pode mudar para outra organização ou sair dela.',
  },
  platform: {
    title: 'Aqui, superadministradores precisam de um segundo fator',
    text: 'Esta página está aberta a sessões confirmadas com uma chave de acesso ou um código de uso único.',
  },
  confirm: 'Confirmar sua identidade',
  setUp: 'Configurar um segundo fator',
  setUpHere: 'Configure um abaixo. Depois, você pode usar tudo de novo imediatamente.',
};
