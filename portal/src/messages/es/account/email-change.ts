/** The messages of ../../en/account/email-change.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/email-change.ts';

export const emailChange: Translated<typeof english.emailChange> = {
  title: '¿Usar tu nueva dirección de correo electrónico?',
  lead: 'La cuenta en la que iniciaste sesión como <who>{email}</who> recibirá la dirección a la que se envió este enlace.',
  effect:
    'A partir de entonces inicias sesión con ella y recibe los mensajes de la cuenta. La dirección actual recibe un mensaje con el que se puede deshacer el cambio durante 72 horas. Abrir esta página aún no ha cambiado nada.',
  submit: 'Usar la nueva dirección',
  later: 'Ahora no',
  done: {
    title: 'Se cambió tu dirección',
    text: 'Tu cuenta tiene ahora la dirección <who>{email}</who>. A partir de ahora inicias sesión con ella.',
    submit: 'Ver tu cuenta',
  },
  signIn: {
    title: 'Inicia sesión para cambiar tu dirección',
    text: 'Este enlace da a tu cuenta una nueva dirección de correo electrónico. Inicia primero sesión en la cuenta con su dirección actual; después volverás aquí.',
    submit: 'Iniciar sesión',
  },
  otherAccount: {
    title: 'Este enlace es para otra cuenta',
    text: 'Iniciaste sesión como <who>{email}</who>. Cierra la sesión e inicia sesión en la cuenta para la que se solicitó la nueva dirección. El enlace sigue siendo válido.',
    submit: 'Cerrar sesión y usar la otra cuenta',
    stay: 'Mantener la sesión',
  },
  notOpen: {
    title: 'Este enlace no funciona',
    text: 'Funciona una vez, durante 24 horas. Es posible que ya se haya usado, que después se haya solicitado otra dirección, que tu contraseña haya cambiado o que la dirección ya tenga una cuenta. Tu cuenta sigue igual: vuelve a solicitar el cambio.',
    submit: 'Ver tu cuenta',
  },
};

export const emailUndo: Translated<typeof english.emailUndo> = {
  title: '¿Deshacer el cambio de tu dirección?',
  lead: 'Se cambió la dirección de correo electrónico de tu cuenta. Si no lo hiciste tú, deshazlo aquí.',
  effects: {
    address:
      'Tu cuenta recupera su dirección anterior, y la contraseña, las claves de acceso, los códigos de un solo uso y las conexiones con un proveedor que tenía 72 horas antes de que se solicitara el cambio.',
    added: 'Se quita lo que se añadió desde entonces.',
    sessions: 'Se cierra la sesión en todos los dispositivos y clientes. Después vuelves a iniciar sesión.',
  },
  unchanged: 'Abrir esta página aún no ha cambiado nada.',
  submit: 'Deshacer el cambio',
  done: {
    title: 'Se deshizo el cambio',
    text: 'Tu cuenta vuelve a tener su dirección y su contraseña anteriores, y se cerró la sesión en todos los dispositivos. Inicia sesión y cambia tu contraseña: es posible que otra persona la conozca.',
    submit: 'Iniciar sesión',
  },
  notOpen: {
    title: 'Este enlace no funciona',
    text: 'Funciona una vez, durante 72 horas después del cambio. Si otra persona tiene tu cuenta y ese tiempo ya pasó, contacta con el operador de este servicio.',
  },
};
