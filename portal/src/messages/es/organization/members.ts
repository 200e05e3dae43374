/** The messages of ../../en/organization/members.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/members.ts';

export const members: Translated<typeof english.members> = {
  security: 'Seguridad de la organización',
  tokens: 'Tokens y cuentas de servicio',
  clients: 'Clientes conectados',
  audit: 'Registro de auditoría',
  title: 'Miembros',
  lead: 'Quién pertenece a {organization} y a quién se ha invitado.',
  left: 'Has dejado {organization}.',
  list: 'Personas',
  search: 'Buscar por nombre o dirección',
  shown: '{total, plural, one {# persona} other {# personas}}',
  shownOf: '{shown, number} de {total, number}',
  noMatches: 'Ningún miembro tiene «{search}» en su nombre o dirección.',
  role: 'Rol:',
  status: 'Estado:',
  statuses: { JOINED: 'Miembros', INVITED: 'Invitaciones', EXPIRED: 'Invitaciones caducadas' },
  columns: { person: 'Persona', role: 'Rol', since: 'Desde', actions: 'Acciones' },
  seats:
    '{members, plural, one {# miembro} other {# miembros}} y {open, plural, one {# invitación abierta} other {# invitaciones abiertas}}',
  seatsOf:
    '{taken, number} de {limit, number} plazas ocupadas: {members, plural, one {# miembro} other {# miembros}} y {open, plural, one {# invitación abierta} other {# invitaciones abiertas}}',
  noFilterMatches: 'Ningún miembro coincide con estos filtros.',
  clearSearch: 'Mostrar todos los miembros',
  you: 'Tú',
  invited: 'Invitación enviada',
  expired: 'Invitación caducada',
  joined: 'Se unió el {date}',
  openUntil: 'Invitación abierta hasta el {date}',
  expiredOn: 'El enlace caducó el {date}',
  roleOf: 'Rol de {person}:',
  actionsFor: 'Acciones para {person}',
};

export const memberActions: Translated<typeof english.memberActions> = {
  resend: 'Volver a enviar la invitación',
  withdraw: 'Retirar la invitación',
  remove: 'Quitar de la organización',
  leave: 'Dejar la organización',
  done: {
    resend: 'Un enlace nuevo va de camino a {email}. El enlace anterior ya no funciona.',
    withdraw: 'Se retiró la invitación a {email}. Su enlace ya no funciona.',
    remove: '{person} ya no es miembro.',
    leave: 'Has dejado {organization}.',
    role: '{person} tiene ahora el rol {role}.',
  },
  confirm: {
    withdraw: {
      title: '¿Retirar la invitación a {email}?',
      text: 'El enlace del mensaje deja de funcionar de inmediato. Puedes volver a invitar a esta dirección en cualquier momento.',
      submit: 'Retirar invitación',
    },
    remove: {
      title: '¿Quitar a {person} de {organization}?',
      text: 'Todas las sesiones de {email} en esta organización terminan de inmediato. La cuenta sigue existiendo y puedes volver a invitarla.',
      textWithTokens:
        'Todas las sesiones y todos los tokens personales de {email} en esta organización terminan de inmediato. La cuenta sigue existiendo y puedes volver a invitarla.',
      submit: 'Quitar miembro',
    },
    leave: {
      title: '¿Dejar {organization}?',
      text: 'Tus sesiones en ella terminan de inmediato, así que es posible que tengas que volver a iniciar sesión. Solo puedes volver con una nueva invitación.',
      textWithTokens:
        'Tus sesiones y tus tokens personales en ella terminan de inmediato, así que es posible que tengas que volver a iniciar sesión. Solo puedes volver con una nueva invitación.',
      submit: 'Dejar la organización',
    },
    makeOwner: {
      title: '¿Hacer propietario a {person}?',
      text: 'Los propietarios pueden hacer todo en {organization}: cambiar su nombre y su plan, y cambiar o quitar a cualquier miembro, incluido tú.',
      submit: 'Hacer propietario',
    },
    unmakeOwner: {
      title: '¿Quitar a {person} el rol de propietario?',
      text: '{email} tendrá el rol {role}. Sus sesiones siguen activas, pero ya no permiten lo que solo pueden hacer los propietarios.',
      submit: 'Cambiar rol',
    },
    ownRole: {
      title: '¿Cambiar tu propio rol?',
      text: 'A partir de ahora tendrás el rol {role}. Solo otro miembro puede devolverte tu rol actual.',
      submit: 'Cambiar mi rol',
    },
  },
};

export const invite: Translated<typeof english.invite> = {
  open: 'Invitar a un miembro',
  title: 'Invitar a un miembro',
  lead: 'La persona recibe un correo con un enlace. Funciona una vez y solo para ella.',
  titleMany: 'Invitar a muchas personas',
  leadMany: 'Pega hasta 200 direcciones de correo electrónico. Antes de enviar nada, ves qué ocurriría con cada una.',
  many: 'Invitar a muchas personas a la vez',
  one: 'Invitar a una persona',
  role: 'Rol',
  roles: {
    MEMBER: 'Ve quién pertenece a la organización.',
    ADMIN: 'Invita, cambia y quita a personas, pero no a propietarios.',
    OWNER: 'Puede hacer todo, incluso cambiar el nombre y el plan.',
  },
  noScopes: 'Solo puede iniciar sesión en la organización.',
  alsoScopes: '{text} También: {scopes}.',
  moreScopes: '{scopes} · y {count, number} más',
  seats: {
    owner: 'Ver el plan',
    other: 'Pide un plan más amplio a un propietario de {organization}.',
  },
  submit: 'Enviar invitación',
  sent: 'La invitación va de camino',
  sentTo: 'Llegará a <address>{email}</address> y aparece en la lista de abajo.',
  openUntil: 'Su enlace funciona hasta el {date}.',
};

export const membersForbidden: Translated<typeof english.membersForbidden> = {
  title: 'No puedes ver a los miembros',
  text: 'Perteneces a {organization}, pero por ahora no puedes ver a sus otros miembros.',
  why: 'Por qué:',
  plan: 'Ver el plan',
};
