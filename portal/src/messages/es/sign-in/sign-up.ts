/** The messages of ../../en/sign-in/sign-up.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-up.ts';

export const signUp: Translated<typeof english.signUp> = {
  title: 'Crea tu cuenta',
  lead: 'Te enviaremos un enlace para confirmar tu dirección.',
  leadWithProvider:
    'Continúa con {provider}, o elige una contraseña: entonces te enviaremos un enlace para confirmar tu dirección.',
  submit: 'Crear cuenta',
  haveAccount: '¿Ya tienes una cuenta?',
  signIn: 'Iniciar sesión',
};

export const checkMail: Translated<typeof english.checkMail> = {
  title: 'Revisa tu correo',
  sent: 'Enviamos un mensaje a <address>{email}</address>, salvo que haya salido uno en la última hora. Dice cómo seguir: con un enlace que confirma una cuenta nueva o, si ya tienes una cuenta, iniciando sesión.',
  validity: 'El enlace funciona durante 24 horas.',
  earlier:
    'Si ya te registraste antes con esta dirección y aún no la has confirmado, vale la contraseña de esa primera vez. Para empezar de nuevo, usa el segundo enlace del mensaje.',
  missing:
    '¿Nada después de unos minutos? Mira en la carpeta de correo no deseado. Enviamos como máximo un mensaje por hora.',
  sendAgain: 'Volver a enviar',
  sentAgain:
    'Si la dirección está pendiente de confirmar y el último mensaje salió hace más de una hora, hay otro de camino. El enlace de un mensaje anterior puede dejar de funcionar entonces.',
  otherAddress: 'Usar otra dirección',
  unansweredTitle: 'Es posible que hayamos creado tu cuenta',
  unanswered:
    'El servicio no ha respondido a tiempo. Si se creó tu cuenta, hay un mensaje en camino a <address>{email}</address>: abre el enlace que contiene.',
  unansweredMissing:
    '¿No ha llegado nada después de unos minutos? Mira en la carpeta de correo no deseado y vuelve a registrarte: con la misma dirección no pasa nada.',
  again: 'Registrarse de nuevo',
  readyTitle: 'Continúa iniciando sesión',
  ready:
    'Si la dirección es nueva aquí, tu cuenta está lista. Si ya tiene una cuenta, nada ha cambiado en ella y vale su propia contraseña.',
};
