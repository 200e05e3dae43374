/** The messages of ../governance.ts in Spanish. */
import type { Translated } from '../../languages/translated.ts';
import type * as english from '../governance.ts';

export const governance: Translated<typeof english.governance> = {
  title: 'Sesiones',
  lead: 'Las sesiones activas de todas las personas y programas, las más recientes primero.',
  cannotRevoke: {
    title: 'Puedes ver las sesiones, pero no terminarlas',
    why: 'Para terminar una sesión hace falta el permiso sessions:revoke.',
  },
  list: 'Sesiones activas',
  search: 'Buscar por dirección de correo electrónico',
  hint: 'Elige una dirección o una organización en la lista para ver solo sus sesiones.',
  audience: 'Para:',
  audiences: { portal: 'Portal', api: 'API', mcp: 'MCP' },
  methods: {
    password: 'inicio de sesión con contraseña',
    invitation: 'inicio de sesión por invitación',
    google: 'inicio de sesión con Google',
    mcp_oauth: 'conexión como cliente MCP',
    other: 'inicio de sesión con {method}',
  },
  filters: {
    person: 'Solo {email}',
    onePerson: 'Solo una persona',
    organization: 'Solo {organization}',
    oneOrganization: 'Solo una organización',
    remove: 'Quitar filtro: {filter}',
  },
  invalidFilters: {
    title: 'Un filtro de la dirección de esta página es incorrecto',
    email: 'Dirección de correo electrónico',
    audience: 'Audiencia',
    user: 'Persona',
    organization: 'Organización',
    notAnId: 'Esto no es un id.',
    notAnAudience: 'Esto no es una audiencia.',
  },
  onlyPerson: 'Solo {email}',
  onlyOrganization: 'Solo {organization}',
  total: '{shown, plural, =0 {Ninguna sesión activa} one {# sesión activa} other {# sesiones activas}}',
  moreThan: 'Más de {shown, plural, one {# sesión activa} other {# sesiones activas}}',
  shownOfMore: 'Se muestran {shown, number}; hay más',
  none: 'Ninguna sesión activa coincide con estos filtros.',
  you: 'Eres tú',
  organization: 'Organización',
  noOrganization: 'Ninguna',
  issued: 'Emitida',
  lastSeen: 'Última actividad',
  expires: 'Caduca',
  from: '{when} desde {address}',
  neverSeen: 'Aún sin uso',
  revoke: 'Revocar sesión',
  revokeOf: 'Revocar la sesión de {email}, {device}, emitida el {date}',
  revokeEverywhere: 'Cerrar sesión en todas partes',
  revokeEverywhereOf: 'Cerrar sesión en todas partes: {email}',
  confirm: {
    session: {
      title: '¿Revocar una sesión de {email}?',
      text: 'Esto termina la sesión de {device}, emitida el {date}. Su token de acceso y su token de actualización dejan de funcionar de inmediato. Las demás sesiones de {email} siguen activas.',
      submit: 'Revocar sesión',
      own: 'Es la sesión que estás usando ahora. Se cerrará aquí.',
    },
    everywhere: {
      title: '¿Cerrar la sesión de {email} en todas partes?',
      text: 'Todas las sesiones de {email} terminan de inmediato, en todos los dispositivos y programas y en todas las organizaciones. La cuenta sigue existiendo: cualquiera que sepa su contraseña puede volver a iniciar sesión.',
      submit: 'Cerrar sesión en todas partes',
      own: 'Eres tú. También termina la sesión que estás usando, y se cerrará aquí.',
    },
  },
  result:
    '{count, plural, =0 {Ya no había ningún token activo de {email}.} one {Había # token activo de {email} y ha terminado.} other {Había # tokens activos de {email} y han terminado.}}',
};
