/** The messages of ../../en/sign-in/sign-up.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-up.ts';

export const signUp: Translated<typeof english.signUp> = {
  title: 'Crie sua conta',
  lead: 'Vamos enviar um link para você confirmar seu endereço.',
  leadWithProvider:
    'Continue com {provider} ou escolha uma senha: então vamos enviar um link para você confirmar seu endereço.',
  submit: 'Criar conta',
  haveAccount: 'Já tem uma conta?',
  signIn: 'Entrar',
};

export const checkMail: Translated<typeof english.checkMail> = {
  title: 'Verifique seu e-mail',
  sent: 'Enviamos uma mensagem para <address>{email}</address>, a menos que uma tenha saído na última hora. Ela diz como continuar: com um link que confirma uma conta nova ou, se você já tem uma conta, entrando nela.',
  validity: 'O link funciona por 24 horas.',
  earlier:
    'Se você já se cadastrou antes com este endereço e ainda não o confirmou, vale a senha daquela primeira vez. Para começar de novo, use o segundo link da mensagem.',
  missing: 'Nada depois de alguns minutos? Olhe na pasta de spam. Enviamos no máximo uma mensagem por hora.',
  sendAgain: 'Enviar de novo',
  sentAgain:
    'Se o endereço aguarda a confirmação e a última mensagem saiu há mais de uma hora, outra está a caminho. O link de uma mensagem anterior pode então parar de funcionar.',
  otherAddress: 'Usar outro endereço',
  unansweredTitle: 'Talvez sua conta tenha sido criada',
  unanswered:
    'O serviço não respondeu a tempo. Se sua conta foi criada, uma mensagem para <address>{email}</address> está a caminho: abra o link que ela contém.',
  unansweredMissing:
    'Nada depois de alguns minutos? Veja a pasta de spam e cadastre-se de novo: com o mesmo endereço não há problema.',
  again: 'Cadastrar-se de novo',
  readyTitle: 'Continue entrando na conta',
  ready:
    'Se o endereço é novo aqui, sua conta está pronta. Se ele já tem uma conta, nada mudou nela, e vale a senha dela.',
};
