/** The messages of ../../en/sign-in/sign-in.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-in.ts';

export const signIn: Translated<typeof english.signIn> = {
  title: 'Iniciar sesión',
  lead: 'Introduce tu dirección de correo electrónico y tu contraseña.',
  leadWithProvider: 'Continúa con {provider}, o introduce tu dirección de correo electrónico y tu contraseña.',
  submit: 'Iniciar sesión',
  newHere: '¿No tienes cuenta?',
  createAccount: 'Crear una cuenta',
  confirmed:
    'Tu dirección está confirmada. Inicia sesión con la contraseña que elegiste al registrarte por primera vez.',
  refused: 'La dirección de correo electrónico o la contraseña es incorrecta.',
  noAnswer:
    'El servicio no ha respondido a tiempo. Es posible que no hayas iniciado sesión: vuelve a intentarlo en un momento.',
  notVerifiedTitle: 'Tu dirección de correo electrónico aún no está confirmada',
  notVerified:
    'Abre el enlace del mensaje que te enviamos. Si no lo encuentras, regístrate de nuevo con la misma dirección: entonces enviamos un enlace nuevo, como máximo una vez por hora.',
  signUpAgain: 'Registrarse de nuevo',
  forgotten: {
    question: '¿Olvidaste tu contraseña?',
    passkey: 'Si tu cuenta tiene una clave de acceso, inicia sesión con ella: no necesita contraseña.',
    provider: 'Si tu cuenta está conectada con {provider}, continúa con {provider}: aquí no necesita contraseña.',
    passkeyOrProvider:
      'Si tu cuenta tiene una clave de acceso o está conectada con {provider}, inicia sesión de esa forma: ninguna de las dos necesita tu contraseña.',
    ask: 'Una contraseña no se puede restablecer por correo. Para obtener una nueva, dirígete a los responsables de {application}.',
    support: 'Pedir ayuda',
  },
  endings: {
    signedOut: 'Has cerrado la sesión.',
    signedOutEverywhere: 'Se cerró tu sesión en todos los dispositivos.',
    leftOrganization:
      'Has dejado la organización y con ello terminó esta sesión. Inicia sesión de nuevo para continuar.',
    accountDeleted: 'Se eliminó tu cuenta.',
    expired: 'Tu sesión terminó. Inicia sesión de nuevo para continuar.',
  },
};

export const external: Translated<typeof english.external> = {
  unfinished: 'Tu inicio de sesión con {provider} está casi completo: solo falta el último paso.',
  someProvider: 'el proveedor',
  problems: {
    PROVIDER_CANCELLED: 'Cancelaste la operación en {provider}. Nada ha cambiado.',
    PROVIDER_UNAVAILABLE: '{provider} no responde en este momento. Vuelve a intentarlo en breve.',
    PROVIDER_REFUSED:
      'La respuesta que dio {provider} no era válida. Vuelve a intentarlo. Si ocurre de nuevo, contacta con el operador de este servicio.',
    ATTEMPT_OVER:
      'Este intento ha terminado: tardó demasiado, ya se había completado o empezó en otro navegador. Vuelve a intentarlo.',
    EXCHANGE_REFUSED: 'El inicio de sesión tardó demasiado o ya se había completado. Vuelve a intentarlo.',
    EMAIL_MISSING:
      'Una cuenta necesita una dirección de correo electrónico, pero {provider} no compartió la tuya. Compártela allí o usa una contraseña aquí.',
    EMAIL_UNVERIFIED:
      'Tu dirección de correo electrónico aún no está confirmada en {provider}. Confírmala allí o usa una contraseña aquí.',
    ACCOUNT_HAS_OTHER_IDENTITY:
      'La cuenta de aquí con tu dirección de correo electrónico está conectada con otra cuenta en {provider}. Continúa con esa o usa tu contraseña.',
    ACCOUNT_EXISTS:
      'Ya existe una cuenta con esta dirección. Inicia sesión con su contraseña y después conecta {provider} en «Formas de iniciar sesión».',
    ACCOUNT_SUSPENDED:
      'Tu cuenta está suspendida, así que no puedes iniciar sesión hasta que se reactive. Contacta con el operador de este servicio.',
    IDENTITY_TAKEN:
      'La cuenta en {provider} que elegiste está conectada con otra cuenta de aquí. Elige otra, o inicia sesión en esa cuenta y desconéctala primero.',
    LINK_SESSION_OVER:
      'Tu sesión terminó antes de que se conectara {provider}, o aquí inició sesión otra persona. No se conectó nada.',
    LINK_DECLINED:
      'No vinculaste tu cuenta en {provider}, así que nada ha cambiado. Para iniciar sesión con ella, elígela de nuevo.',
    RATE_LIMITED: 'Hubo demasiados intentos. Espera un momento y vuelve a intentarlo.',
    UNAVAILABLE: 'El servicio no puede responder ahora mismo. Vuelve a intentarlo en breve.',
    ACCOUNT_MISMATCH:
      'En ese momento otra persona tenía la sesión iniciada aquí, así que no se cambió nada. Vuelve a intentarlo.',
    other:
      'No se pudo continuar con {provider}. Vuelve a intentarlo. Si ocurre de nuevo, contacta con el operador de este servicio.',
  },
  signedIn: {
    title: 'Eso no funcionó',
    cancelledTitle: 'Nada ha cambiado',
    mismatchTitle: 'Ya iniciaste sesión',
    mismatch:
      'Iniciaste sesión como <who>{email}</who>. La cuenta en {provider} que elegiste pertenece a otra cuenta de aquí, así que no se cambió nada.',
    mismatchAdvice: 'Para usar la otra cuenta, cierra la sesión y después inicia sesión con ella.',
    otherIdentity: 'Tu cuenta de aquí ya está conectada con otra cuenta en {provider}. Desconecta esa primero.',
    continueAs: 'Continuar como {name}',
    signOut: 'Cerrar sesión',
  },
};
