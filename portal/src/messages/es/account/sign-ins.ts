/** The messages of ../../en/account/sign-ins.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/sign-ins.ts';

export const recentSignIns: Translated<typeof english.recentSignIns> = {
  title: 'Inicios de sesión recientes',
  lead: 'Intentos de iniciar sesión en tu cuenta, también los rechazados. Si no reconoces alguno que tuvo éxito, cierra sesión en todas partes y cambia tu contraseña.',
  none: 'No hay registrado ningún inicio de sesión de los últimos días.',
  shown: '{shown, number} de {total, number}',
  shownOfMore: '{shown, number} de más de {total, number}',
  unlisted:
    '{count, plural, one {# intento rechazado está contado pero no aparece} other {# intentos rechazados están contados pero no aparecen}} en la lista, porque hubo más de cien en un día.',
  succeeded: 'Sesión iniciada',
  refused: 'Rechazado',
  addressUnknown: 'Dirección desconocida',
  methods: {
    password: 'Contraseña',
    passkey: 'Clave de acceso',
    google: '{provider}',
    invitation: 'Invitación',
    other: 'Otra forma',
  },
  reasons: {
    INVALID_CREDENTIALS: 'Contraseña, código o clave de acceso incorrectos',
    SECOND_FACTOR_REQUIRED: 'Se pidió un segundo factor',
    CHALLENGE_REFUSED: 'Tardó demasiado o ya se había completado',
    EXCHANGE_REFUSED: 'Tardó demasiado o ya se había completado',
    EMAIL_NOT_VERIFIED: 'La dirección de correo electrónico no estaba confirmada',
    ACCOUNT_SUSPENDED: 'La cuenta estaba suspendida',
    ACCOUNT_MISMATCH: 'Otra persona tenía la sesión iniciada',
    ACCOUNT_EXISTS: 'El proveedor no garantiza la dirección',
    ACCOUNT_HAS_OTHER_IDENTITY: 'Otra cuenta en el proveedor',
    INVITATION_NOT_OPEN: 'La invitación no estaba abierta',
    other: 'Rechazado',
  },
};
