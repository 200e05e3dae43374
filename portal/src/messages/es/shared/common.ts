/** The messages of ../../en/shared/common.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/common.ts';

export const common: Translated<typeof english.common> = {
  loading: 'Cargando',
  takesLonger: 'Esto tarda más de lo habitual. Espera, por favor.',
  tryAgain: 'Reintentar',
  cancel: 'Cancelar',
  close: 'Cerrar',
  toSignIn: 'Ir al inicio de sesión',
  toStart: 'Ir a la página de inicio',
  openMailbox: 'Abrir el buzón de desarrollo',
  reference: 'Referencia',
  language: 'Idioma',
  links: { support: 'Ayuda', terms: 'Condiciones', privacy: 'Privacidad' },
};

export const roles: Translated<typeof english.roles> = {
  OWNER: 'Propietario',
  ADMIN: 'Administrador',
  MEMBER: 'Miembro',
};

export const fields: Translated<typeof english.fields> = {
  name: 'Nombre',
  email: 'Dirección de correo electrónico',
  password: 'Contraseña',
  showPassword: 'Mostrar contraseña',
  nameMissing: 'Introduce tu nombre.',
  organizationNameMissing: 'Introduce un nombre para la organización.',
  emailMissing: 'Introduce tu dirección de correo electrónico.',
  inviteeEmailMissing: 'Introduce la dirección de correo electrónico de la persona a la que invitas.',
  emailShape: 'Esto no parece una dirección de correo electrónico.',
  passwordMissing: 'Introduce tu contraseña.',
  codeMissing: 'Introduce el código.',
  passwordTooWeak: 'Esta contraseña no cumple todas las reglas de abajo.',
  passwordTooManyBytes: 'Esta contraseña ocupa más de 72 bytes. Usa menos emojis o caracteres acentuados.',
};

export const failures: Translated<typeof english.failures> = {
  OFFLINE: {
    title: 'Sin conexión',
    text: 'No se pudo acceder al servicio. Comprueba tu conexión y vuelve a intentarlo.',
  },
  noAnswer: {
    title: 'Sin respuesta a tiempo',
    text: 'El servicio está muy ocupado. Puede que lo que pediste ya se haya hecho o se haga en un momento: compruébalo antes de volver a intentarlo.',
  },
  UNAVAILABLE: {
    title: 'No disponible en este momento',
    text: 'El servicio no puede responder ahora mismo. Vuelve a intentarlo en breve.',
  },
  RATE_LIMITED: {
    title: 'Demasiados intentos',
    text: 'Espera {seconds, plural, =0 {un momento} one {# segundo} other {# segundos}} y vuelve a intentarlo.',
  },
  ACCOUNT_SUSPENDED: {
    title: 'Tu cuenta está suspendida',
    text: 'No puedes iniciar sesión hasta que se reactive. Contacta con el operador de este servicio.',
  },
  FORBIDDEN: {
    title: 'No permitido',
    text: 'Tu rol o el plan de tu organización no lo permite. Es posible que uno de los dos acabe de cambiar.',
  },
  MEMBERSHIP_REQUIRED: {
    title: 'Ninguna organización está activa',
    text: 'Ya no perteneces a la organización o aún no has elegido una.',
  },
  NOT_FOUND: {
    title: 'Ya no existe',
    text: 'Es posible que se haya eliminado entretanto. Esta página muestra ahora el estado actual.',
  },
  INVITATION_NOT_OPEN: {
    title: 'La invitación ya no está abierta',
    text: 'Se aceptó o se retiró entretanto. Esta página muestra ahora el estado actual.',
  },
  LAST_OWNER: {
    title: 'Una organización necesita un propietario',
    text: 'Este es el único. Haz primero propietario a otro miembro.',
  },
  SEATS_EXHAUSTED: {
    title: 'No hay plazas libres',
    text: 'Los miembros y las invitaciones abiertas ocupan todas las plazas del plan de la organización. Para hacer sitio, quita a un miembro, retira una invitación o elige un plan más amplio.',
  },
  REAUTHENTICATION_REQUIRED: {
    title: 'No se completó',
    text: 'Para esto tienes que confirmar tu identidad. Nada ha cambiado.',
  },
  SECOND_FACTOR_REQUIRED: {
    title: 'No se completó',
    text: 'Para esto hace falta tu clave de acceso o un código de un solo uso. Nada ha cambiado.',
  },
  stillSignedIn: 'No se ha perdido nada y tu sesión sigue iniciada.',
  failed: {
    title: 'Algo salió mal',
    text: 'El problema es nuestro. Vuelve a intentarlo. Si ocurre de nuevo, contacta con el operador de este servicio.',
  },
  notFound: {
    title: 'Página no encontrada',
    text: 'No hay nada en esta dirección. Es posible que el enlace sea antiguo o esté mal escrito.',
  },
};

export const wrongAddress: Translated<typeof english.wrongAddress> = {
  title: 'Esta no es la dirección de este servicio',
  text: 'Estás en {here}, donde tu navegador no conserva ningún inicio de sesión. Continúa en <right>{there}</right>.',
};
