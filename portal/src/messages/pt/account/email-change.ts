/** The messages of ../../en/account/email-change.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/email-change.ts';

export const emailChange: Translated<typeof english.emailChange> = {
  title: 'Usar seu novo endereço de e-mail?',
  lead: 'A conta em que você entrou como <who>{email}</who> recebe o endereço para o qual este link foi enviado.',
  effect:
    'A partir de então, você entra com ele, e ele recebe as mensagens da conta. O endereço atual recebe uma mensagem que permite desfazer a alteração por 72 horas. Abrir esta página ainda não mudou nada.',
  submit: 'Usar o novo endereço',
  later: 'Agora não',
  done: {
    title: 'Seu endereço foi alterado',
    text: 'Sua conta agora tem o endereço <who>{email}</who>. A partir de agora, você entra com ele.',
    submit: 'Ver sua conta',
  },
  signIn: {
    title: 'Entre para alterar seu endereço',
    text: 'Este link dá à sua conta um novo endereço de e-mail. Primeiro, entre na conta com o endereço atual; depois, você volta para cá.',
    submit: 'Entrar',
  },
  otherAccount: {
    title: 'Este link é para outra conta',
    text: 'Você entrou como <who>{email}</who>. Saia e entre na conta para a qual o novo endereço foi pedido. O link continua válido.',
    submit: 'Sair e usar a outra conta',
    stay: 'Continuar nesta conta',
  },
  notOpen: {
    title: 'Este link não funciona',
    text: 'Ele funciona uma vez, por 24 horas. Pode já ter sido usado, outro endereço pode ter sido pedido depois, sua senha pode ter mudado ou o endereço já pode ter uma conta. Sua conta continua como estava: peça a alteração de novo.',
    submit: 'Ver sua conta',
  },
};

export const emailUndo: Translated<typeof english.emailUndo> = {
  title: 'Desfazer a alteração do seu endereço?',
  lead: 'O endereço de e-mail da sua conta foi alterado. Se não foi você, desfaça isso aqui.',
  effects: {
    address:
      'Sua conta volta a ter o endereço anterior, e a senha, as chaves de acesso, os códigos de uso único e as conexões com um provedor que tinha 72 horas antes de a alteração ser pedida.',
    added: 'O que foi adicionado desde então é removido.',
    sessions: 'Todos os dispositivos e clientes são desconectados. Depois, você entra de novo.',
  },
  unchanged: 'Abrir esta página ainda não mudou nada.',
  submit: 'Desfazer a alteração',
  done: {
    title: 'A alteração foi desfeita',
    text: 'Sua conta voltou a ter o endereço e a senha anteriores, e todos os dispositivos foram desconectados. Entre e altere sua senha: outra pessoa pode conhecê-la.',
    submit: 'Entrar',
  },
  notOpen: {
    title: 'Este link não funciona',
    text: 'Ele funciona uma vez, por 72 horas depois da alteração. Se outra pessoa está com sua conta e o prazo acabou, fale com o operador deste serviço.',
  },
};
