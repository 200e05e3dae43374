/** The messages of ../../en/sign-in/sign-in.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-in.ts';

export const signIn: Translated<typeof english.signIn> = {
  title: 'Entrar',
  lead: 'Digite seu endereço de e-mail e sua senha.',
  leadWithProvider: 'Continue com {provider} ou digite seu endereço de e-mail e sua senha.',
  submit: 'Entrar',
  newHere: 'Ainda não tem conta?',
  createAccount: 'Criar uma conta',
  confirmed: 'Seu endereço está confirmado. Entre com a senha que você escolheu no primeiro cadastro.',
  refused: 'Endereço de e-mail ou senha incorretos.',
  noAnswer: 'O serviço não respondeu a tempo. Talvez você não tenha entrado: tente de novo em instantes.',
  notVerifiedTitle: 'Seu endereço de e-mail ainda não está confirmado',
  notVerified:
    'Abra o link da mensagem que enviamos. Se você não a encontrar, cadastre-se de novo com o mesmo endereço: então enviamos um novo link, no máximo uma vez por hora.',
  signUpAgain: 'Cadastrar-se de novo',
  forgotten: {
    question: 'Esqueceu sua senha?',
    passkey: 'Se sua conta tem uma chave de acesso, entre com ela: não é preciso senha.',
    provider: 'Se sua conta está conectada a {provider}, continue com {provider}: não é preciso senha aqui.',
    passkeyOrProvider:
      'Se sua conta tem uma chave de acesso ou está conectada a {provider}, entre dessa forma: nenhuma das duas precisa da sua senha.',
    ask: 'Uma senha não pode ser redefinida por e-mail. Para obter uma nova, fale com os responsáveis por {application}.',
    support: 'Pedir ajuda',
  },
  endings: {
    signedOut: 'Você saiu.',
    signedOutEverywhere: 'Você saiu de todos os dispositivos.',
    leftOrganization: 'Você saiu da organização, e esta sessão terminou com isso. Entre de novo para continuar.',
    accountDeleted: 'Sua conta foi excluída.',
    expired: 'Sua sessão terminou. Entre de novo para continuar.',
  },
};

export const external: Translated<typeof english.external> = {
  unfinished: 'Sua entrada com {provider} está quase completa: só falta a última etapa.',
  someProvider: 'seu provedor',
  problems: {
    PROVIDER_CANCELLED: 'Você cancelou em {provider}. Nada mudou.',
    PROVIDER_UNAVAILABLE: 'No momento, {provider} não responde. Tente de novo em instantes.',
    PROVIDER_REFUSED:
      'A resposta de {provider} não era válida. Tente de novo. Se acontecer outra vez, fale com o operador deste serviço.',
    ATTEMPT_OVER:
      'Esta tentativa terminou: demorou demais, já tinha sido concluída ou começou em outro navegador. Tente de novo.',
    EXCHANGE_REFUSED: 'A entrada demorou demais ou já tinha sido concluída. Tente de novo.',
    EMAIL_MISSING:
      'Uma conta precisa de um endereço de e-mail, mas {provider} não compartilhou o seu. Compartilhe-o lá ou use uma senha aqui.',
    EMAIL_UNVERIFIED:
      'Seu endereço de e-mail ainda não está confirmado em {provider}. Confirme-o lá ou use uma senha aqui.',
    ACCOUNT_HAS_OTHER_IDENTITY:
      'A conta daqui com seu endereço de e-mail está conectada a outra conta de {provider}. Continue com essa ou use sua senha.',
    ACCOUNT_EXISTS:
      'Já existe uma conta com este endereço. Entre com a senha dela e depois conecte {provider} em “Formas de entrar”.',
    ACCOUNT_SUSPENDED:
      'Sua conta está suspensa, por isso você não pode entrar até que ela seja reativada. Fale com o operador deste serviço.',
    IDENTITY_TAKEN:
      'A conta de {provider} que você escolheu está conectada a outra conta daqui. Escolha outra, ou entre nessa conta e desconecte-a primeiro.',
    LINK_SESSION_OVER:
      'Sua sessão terminou antes de {provider} ser conectado, ou outra pessoa entrou aqui. Nada foi conectado.',
    LINK_DECLINED:
      'Você não vinculou sua conta de {provider}, então nada mudou. Para entrar com ela, escolha-a de novo.',
    RATE_LIMITED: 'Houve tentativas demais. Aguarde um momento e tente de novo.',
    UNAVAILABLE: 'O serviço não pode responder agora. Tente de novo em instantes.',
    ACCOUNT_MISMATCH:
      'Outra pessoa estava com a sessão aberta aqui naquele momento, então nada foi alterado. Tente de novo.',
    other:
      'Não foi possível continuar com {provider}. Tente de novo. Se acontecer outra vez, fale com o operador deste serviço.',
  },
  signedIn: {
    title: 'Isso não funcionou',
    cancelledTitle: 'Nada mudou',
    mismatchTitle: 'Você já entrou',
    mismatch:
      'Você entrou como <who>{email}</who>. A conta de {provider} que você escolheu pertence a outra conta daqui, então nada foi alterado.',
    mismatchAdvice: 'Para usar a outra conta, saia e entre de novo.',
    otherIdentity: 'Sua conta daqui já está conectada a outra conta de {provider}. Desconecte essa primeiro.',
    continueAs: 'Continuar como {name}',
    signOut: 'Sair',
  },
};
