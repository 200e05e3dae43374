/** The messages of ../../en/sign-in/password-review.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/password-review.ts';

export const passwordReview: Translated<typeof english.passwordReview> = {
  someProvider: 'el proveedor',
  title: '¿Estableciste tú la contraseña de esta cuenta?',
  text: 'Esta cuenta está ahora conectada con {provider}, porque la dirección es la misma. También tiene una contraseña, que se estableció antes. Si no la estableciste tú, es posible que otra persona la conozca: quítala.',
  consequence:
    'Al quitarla se cierra la sesión en todos los demás dispositivos y clientes. A partir de entonces inicias sesión con {provider}.',
  remove: 'Quitar la contraseña',
  keep: 'La establecí yo: conservarla',
  removed:
    'Se quitó la contraseña y se cerró la sesión en todos los demás dispositivos. A partir de ahora inicias sesión con {provider}.',
  kept: 'La contraseña se conserva. Puedes iniciar sesión con ella o con {provider}.',
};
