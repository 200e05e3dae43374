/** The messages of ../../en/sign-in/verify.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/verify.ts';

export const verify: Translated<typeof english.verify> = {
  title: 'Confirme seu endereço de e-mail',
  lead: 'Você pediu neste navegador uma conta com <address>{email}</address>. Pressione o botão para confirmar que o endereço é seu e depois entre. Abrir o link ainda não mudou nada.',
  submit: 'Confirmar',
  byPassword: {
    lead: 'Digite a senha que você escolheu no cadastro. Ela confirma que a conta é sua e dá acesso a ela.',
    submit: 'Confirmar e entrar',
    replaces: 'Você entrou aqui como {email}. Se continuar, entrará na outra conta em vez dessa.',
    refusedTitle: 'Esta não é a senha da conta',
    refused:
      'Digite a senha do primeiro cadastro com este endereço: um cadastro posterior não a altera. Se não foi você quem a escolheu, outra pessoa pediu a conta: exclua-a pelo link abaixo e depois faça seu próprio cadastro.',
    reject: 'Não pedi esta conta',
  },
  earlier: {
    title: 'Vale a senha de um cadastro anterior',
    text: 'Quando você se cadastrou neste navegador, uma conta com este endereço já aguardava a confirmação. Ela manteve a senha escolhida primeiro.',
    lead: 'Digite a senha do primeiro cadastro. Ela confirma que a conta é sua e dá acesso a ela.',
    anew: 'Excluir essa conta e começar de novo',
  },
  expired: {
    title: 'Este link expirou',
    text: 'Ele funcionou por 24 horas. Nada foi confirmado.',
    submit: 'Enviar um novo link',
  },
  signIn: 'Entrar',
  signUp: 'Cadastrar-se de novo',
  toStart: 'Ir para a página inicial',
  signedInAsOther:
    'Sua sessão aqui ainda é a de {email}. Para usar a conta que você acabou de confirmar, saia primeiro.',
  VERIFIED: { title: 'Seu endereço está confirmado', text: 'Obrigado. Agora você pode entrar.' },
  EXPIRED_RESENT: {
    title: 'Enviamos um novo link para você',
    text: 'Abra o link da mensagem que está a caminho. Ele funciona por 24 horas.',
  },
  EXPIRED: {
    title: 'Uma mensagem já está a caminho',
    text: 'Enviamos no máximo uma por hora, e a última saiu há menos de uma hora: use o link dela. Se ela não chegar, cadastre-se de novo com o mesmo endereço daqui a uma hora.',
  },
  INVALID: {
    title: 'Este link não funciona',
    text: 'Ele pode já ter sido usado ou estar incompleto. Se você já confirmou seu endereço, entre. Se não, cadastre-se de novo com o mesmo endereço para receber um novo link.',
  },
};

export const reject: Translated<typeof english.reject> = {
  title: 'Excluir esta conta?',
  lead: 'Uma conta foi pedida com seu endereço de e-mail e ainda não está confirmada. Se não foi você, ou se quiser começar de novo com outra senha, exclua a conta. Abrir esta página ainda não mudou nada.',
  submit: 'Excluir a conta',
  keep: 'Fui eu que pedi',
  done: {
    title: 'A conta foi excluída',
    text: 'Todos os dados dela foram excluídos. Você mesmo pode se cadastrar com o endereço. Enviamos a ele no máximo uma mensagem por hora: se nenhuma chegar depois do cadastro, peça o reenvio uma hora depois da última.',
  },
  invalid: {
    title: 'Este link não funciona',
    text: 'A conta pode já ter sido excluída ou confirmada. Se você recebeu uma mensagem mais recente, use o link dela.',
  },
  toSignUp: 'Criar uma conta',
};
