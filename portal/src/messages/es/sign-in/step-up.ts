/** The messages of ../../en/sign-in/step-up.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/step-up.ts';

export const stepUp: Translated<typeof english.stepUp> = {
  title: 'Confirma tu identidad',
  lead: 'Hace un tiempo que iniciaste sesión. Lo que empezaste continúa después de esto.',
  leadSecondFactor: 'Para esto no basta con tu contraseña. Lo que empezaste continúa después de esto.',
  pageLead: 'Hace un tiempo que iniciaste sesión. Continuarás después de esto.',
  pageLeadSecondFactor: 'Para esto no basta con tu contraseña. Continuarás después de esto.',
  password: 'Tu contraseña',
  submit: 'Confirmar',
  wrongPassword: 'La contraseña es incorrecta.',
  code: 'Código de tu aplicación de autenticación, o un código de recuperación',
  submitCode: 'Confirmar con el código',
  wrongCode: 'El código es incorrecto o ya se usó.',
  withProvider: 'Confirmar con {provider}',
  providerLeaves: 'Sales de esta página hacia {provider} y después vuelves a ella. Entonces, empieza de nuevo.',
  nothing:
    'Tu cuenta no tiene contraseña, clave de acceso ni código que se pueda pedir aquí. Cierra la sesión y vuelve a iniciarla: durante los diez minutos siguientes no se te pedirá.',
  noSecondFactor:
    'Tu cuenta aún no tiene un segundo factor. Configura una clave de acceso o códigos de un solo uso en «Cuenta», «Seguridad», y continúa desde allí.',
  setUp: 'Configurar un segundo factor',
};

export const secondFactorNeeded: Translated<typeof english.secondFactorNeeded> = {
  organization: {
    title: '{organization} exige un segundo factor',
    text: 'Allí no basta con iniciar sesión con una contraseña o un proveedor: hasta que confirmes con una clave de acceso o un código de un solo uso, no puedes usarla. Aún puedes cambiar a otra organización o dejarla.',
  },
  platform: {
    title: 'Aquí los superadministradores necesitan un segundo factor',
    text: 'Esta página está abierta a las sesiones confirmadas con una clave de acceso o un código de un solo uso.',
  },
  confirm: 'Confirmar tu identidad',
  setUp: 'Configurar un segundo factor',
  setUpHere: 'Configura uno abajo. Podrás volver a usar todo de inmediato.',
};
