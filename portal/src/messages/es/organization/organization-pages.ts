/** The messages of ../../en/organization/organization-pages.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organization-pages.ts';

export const organizationSecurity: Translated<typeof english.organizationSecurity> = {
  title: 'Seguridad de {name}',
  lead: 'Cómo deben iniciar sesión los miembros antes de poder usar la organización.',
  section: 'Segundo factor',
  isRequired: 'Obligatorio para todos los miembros',
  isNotRequired: 'No obligatorio',
  text: 'Cuando es obligatorio, los miembros no pueden hacer nada en {name} hasta que confirmen en su sesión con una clave de acceso o un código de un solo uso. Su sesión sigue iniciada: el portal les pide la confirmación, y allí pueden configurar un segundo factor.',
  require: 'Exigir un segundo factor',
  stopRequiring: 'Dejar de exigirlo',
  required: '{name} exige ahora un segundo factor.',
  notRequired: '{name} ya no exige un segundo factor.',
  notAllowed: 'Tu rol en esta organización no te permite cambiar esto.',
};

export const deleteOrganization: Translated<typeof english.deleteOrganization> = {
  title: 'Eliminar {name}',
  lead: 'Durante siete días un propietario puede restaurarla tal como estaba. Después se elimina definitivamente.',
  text: 'Los miembros pierden el acceso de inmediato y las invitaciones dejan de funcionar. Cada propietario recibe un correo.',
  typeName: 'Escribe {name} para confirmar',
  nameMissing: 'Escribe el nombre de la organización.',
  submit: 'Eliminar la organización',
  notOwner: 'Solo un propietario puede eliminar una organización.',
  SUBSCRIPTION_ACTIVE: 'La organización tiene un plan en curso. Termínalo primero, en «Plan».',
};
