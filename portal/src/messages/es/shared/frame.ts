/** The messages of ../../en/shared/frame.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/frame.ts';

export const frame: Translated<typeof english.frame> = {
  skip: 'Saltar al contenido',
  navigation: 'Navegación principal',
  home: 'Inicio',
  account: 'Cuenta',
  members: 'Miembros',
  plan: 'Plan',
  console: 'Consola',
  signOut: 'Cerrar sesión',
  signedInAs: 'Sesión iniciada como {email}',
  notSignedOut: {
    title: 'Tu sesión sigue iniciada',
    text: 'Para cerrar la sesión hace falta conexión con el servicio. Pulsa de nuevo «Cerrar sesión» cuando la haya.',
  },
};

export const lists: Translated<typeof english.lists> = {
  showMore: 'Mostrar más',
  reload: 'Actualizar',
  clear: 'Borrar filtros',
  any: 'Cualquiera',
};

export const switcher: Translated<typeof english.switcher> = {
  label: 'Organización:',
  none: 'Sin organización',
  yours: 'Tus organizaciones',
  create: 'Crear una organización',
  switched: 'Ahora estás en {name}.',
  notSwitched: 'Estás en {name}.',
};

export const noOrganization: Translated<typeof english.noOrganization> = {
  title: 'Ninguna organización está activa',
  choose: 'Elige aquella en la que quieres trabajar.',
  open: 'Abrir {name}',
  none: 'No perteneces a ninguna organización. Crea una, o pide a un miembro de otra organización que te invite: con el enlace de la invitación puedes unirte.',
  create: 'Crear una organización',
};
