/** The messages of ../../en/sign-in/verify.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/verify.ts';

export const verify: Translated<typeof english.verify> = {
  title: 'Confirma tu dirección de correo electrónico',
  lead: 'Solicitaste en este navegador una cuenta con <address>{email}</address>. Pulsa el botón para confirmar que la dirección es tuya y después inicia sesión. Abrir el enlace aún no ha cambiado nada.',
  submit: 'Confirmar',
  byPassword: {
    lead: 'Introduce la contraseña que elegiste al registrarte. Con ella confirmas que la cuenta es tuya e inicias sesión.',
    submit: 'Confirmar e iniciar sesión',
    replaces: 'Iniciaste sesión aquí como {email}. Si continúas, en su lugar se iniciará sesión en la otra cuenta.',
    refusedTitle: 'Esta no es la contraseña de la cuenta',
    refused:
      'Introduce la contraseña del primer registro con esta dirección: uno posterior no la cambia. Si no la elegiste tú, otra persona solicitó la cuenta: elimínala con el enlace de abajo y después regístrate tú.',
    reject: 'No solicité esta cuenta',
  },
  earlier: {
    title: 'Vale la contraseña de un registro anterior',
    text: 'Cuando te registraste en este navegador, ya había una cuenta con esta dirección pendiente de confirmar. Conserva la contraseña que se eligió primero para ella.',
    lead: 'Introduce la contraseña del primer registro. Con ella confirmas que la cuenta es tuya e inicias sesión.',
    anew: 'Eliminar esa cuenta y empezar de nuevo',
  },
  expired: {
    title: 'Este enlace ha caducado',
    text: 'Funcionó durante 24 horas. No se ha confirmado nada.',
    submit: 'Enviar un enlace nuevo',
  },
  signIn: 'Iniciar sesión',
  signUp: 'Registrarse de nuevo',
  toStart: 'Ir a la página de inicio',
  signedInAsOther:
    'Aquí sigues con la sesión iniciada como {email}. Para usar la cuenta que acabas de confirmar, cierra primero la sesión.',
  VERIFIED: { title: 'Tu dirección está confirmada', text: 'Gracias. Ya puedes iniciar sesión.' },
  EXPIRED_RESENT: {
    title: 'Te hemos enviado un enlace nuevo',
    text: 'Abre el enlace del mensaje que va de camino. Funciona durante 24 horas.',
  },
  EXPIRED: {
    title: 'Ya hay un mensaje de camino',
    text: 'Enviamos como máximo uno por hora, y el último salió hace menos de una hora: usa su enlace. Si no te llega, regístrate de nuevo con la misma dirección dentro de una hora.',
  },
  INVALID: {
    title: 'Este enlace no funciona',
    text: 'Es posible que ya se haya usado o que esté incompleto. Si ya confirmaste tu dirección, inicia sesión. Si no, regístrate de nuevo con la misma dirección para recibir un enlace nuevo.',
  },
};

export const reject: Translated<typeof english.reject> = {
  title: '¿Eliminar esta cuenta?',
  lead: 'Se solicitó una cuenta con tu dirección de correo electrónico, y aún no está confirmada. Si no fuiste tú, o si quieres empezar de nuevo con otra contraseña, elimina la cuenta. Abrir esta página aún no ha cambiado nada.',
  submit: 'Eliminar la cuenta',
  keep: 'La solicité yo',
  done: {
    title: 'Se eliminó la cuenta',
    text: 'Se eliminaron todos sus datos. Puedes registrarte tú con la dirección. Le enviamos como máximo un mensaje por hora: si no llega ninguno después de registrarte, pide que se vuelva a enviar una hora después del último.',
  },
  invalid: {
    title: 'Este enlace no funciona',
    text: 'Es posible que la cuenta ya se haya eliminado o confirmado. Si recibiste un mensaje más reciente, usa su enlace.',
  },
  toSignUp: 'Crear una cuenta',
};
