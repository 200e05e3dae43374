/** The messages of ../../en/account/one-time-codes.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/one-time-codes.ts';

export const oneTimeCodes: Translated<typeof english.oneTimeCodes> = {
  title: 'Códigos de un solo uso',
  lead: 'Después de tu contraseña, el inicio de sesión pide un código de una aplicación de autenticación.',
  off: 'Desactivados',
  offText: 'Quien sepa tu contraseña puede iniciar sesión solo con ella.',
  on: 'Activados',
  recoveryCodesLeft:
    '{count, plural, =0 {No queda ningún código de recuperación. Crea otros nuevos.} one {Queda # código de recuperación.} other {Quedan # códigos de recuperación.}}',
  setUp: 'Configurar',
  useOtherApp: 'Usar otra aplicación',
  newRecoveryCodes: 'Nuevos códigos de recuperación',
  turnOff: 'Desactivar',
  turnedOff: 'Los códigos de un solo uso están desactivados. A partir de ahora inicias sesión sin ellos.',
  setUpTitle: 'Configurar códigos de un solo uso',
  scan: 'Escanea esto con tu aplicación de autenticación.',
  qrCode: 'Código QR para tu aplicación de autenticación',
  byHand: 'O introduce esta clave en la aplicación:',
  open: 'Abrir una aplicación en este dispositivo',
  code: 'Código de seis dígitos que muestra la aplicación',
  wrongCode:
    'El código es incorrecto. Comprueba que la hora de tu dispositivo sea correcta e introduce el código más reciente.',
  expired:
    'Esto tardó más de diez minutos o se empezó de nuevo en otro lugar. Empieza otra vez con un nuevo código QR.',
  startAgain: 'Empezar de nuevo',
  confirm: 'Activar',
  codesTitle: 'Guarda estos códigos de recuperación',
  codesLead:
    'Con cada uno puedes iniciar sesión una vez cuando no tengas tu aplicación. Solo se muestran ahora. Guárdalos donde solo tú los encuentres, y no en el dispositivo con la aplicación.',
  codesOf: 'Códigos de recuperación de {email} en {application}',
  copy: 'Copiar',
  copied: 'Se copiaron los códigos.',
  notCopied: 'El navegador no permitió copiar. Selecciona los códigos o descárgalos.',
  download: 'Descargar',
  print: 'Imprimir',
  done: 'Los he guardado',
  confirmOff: {
    title: '¿Desactivar los códigos de un solo uso?',
    text: 'Iniciarás sesión sin código. Tus códigos de recuperación dejan de funcionar.',
    submit: 'Desactivar',
  },
  confirmNew: {
    title: '¿Crear nuevos códigos de recuperación?',
    text: 'Los códigos de recuperación que tienes ahora dejan de funcionar.',
    submit: 'Crear nuevos códigos',
  },
};

export const secondFactor: Translated<typeof english.secondFactor> = {
  title: 'Introduce tu código',
  lead: 'Tu cuenta pide un código de tu aplicación de autenticación.',
  leadRecovery: 'Introduce uno de tus códigos de recuperación. Cada uno funciona una vez.',
  code: 'Código de seis dígitos',
  recoveryCode: 'Código de recuperación',
  submit: 'Iniciar sesión',
  useRecoveryCode: 'Usar un código de recuperación',
  useApp: 'Usar un código de la aplicación',
  noRecoveryCode: 'No te queda ningún código de recuperación.',
  passkey: 'También puedes empezar de nuevo e iniciar sesión con tu clave de acceso.',
  wrong: 'El código es incorrecto o ya se usó.',
  limited: 'Hubo demasiados códigos incorrectos. Espera {minutes, plural, one {# minuto} other {# minutos}}.',
  limitedRecovery: 'Mientras tanto funciona un código de recuperación.',
  overTitle: 'Este inicio de sesión ha terminado',
  over: 'Tardó más de cinco minutos o hubo demasiados códigos incorrectos. Nada ha cambiado.',
  startAgain: 'Iniciar sesión de nuevo',
  lost: '¿No tienes ni la aplicación ni un código de recuperación?',
  lostText:
    'Solo el operador de este servicio puede quitar los códigos de tu cuenta, cuando sepa que eres tú quien lo pide.',
  support: 'Pedir ayuda',
};
