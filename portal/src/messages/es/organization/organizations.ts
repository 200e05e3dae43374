/** The messages of ../../en/organization/organizations.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organizations.ts';

export const newOrganization: Translated<typeof english.newOrganization> = {
  title: 'Crear una organización',
  lead: 'Serás su propietario y podrás invitar a otras personas. Las organizaciones a las que ya perteneces no cambian.',
  name: 'Nombre de la organización',
  submit: 'Crear organización',
  notSwitchedTitle: 'Se creó {name}',
  notSwitched: 'No se pudo cambiar a ella. Puedes elegirla entre tus organizaciones.',
  open: 'Abrir {name}',
};

export const renameOrganization: Translated<typeof english.renameOrganization> = {
  title: 'Nombre de la organización',
  lead: 'Lo ven todos los miembros y aparece en todas las invitaciones.',
  open: 'Cambiar nombre',
  name: 'Nombre',
  submit: 'Guardar nombre',
  done: 'La organización se llama ahora {name}.',
};

export const deletedOrganizations: Translated<typeof english.deletedOrganizations> = {
  open: 'Eliminar esta organización',
  title: 'Organizaciones eliminadas',
  until: 'Se elimina definitivamente el {date}',
  restore: 'Restaurar',
  restoreOne: 'Restaurar {name}',
  askOwner: 'Hasta entonces puede restaurarla un propietario.',
};
