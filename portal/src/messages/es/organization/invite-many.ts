/** The messages of ../../en/organization/invite-many.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invite-many.ts';

export const inviteMany: Translated<typeof english.inviteMany> = {
  title: 'Invitar a muchas personas',
  addresses: 'Direcciones de correo electrónico',
  addressesHint:
    'De una columna, una lista o los destinatarios de un correo: separadas por saltos de línea, comas, puntos y comas o espacios.',
  counted: '{count, plural, =0 {Aún ninguna dirección} one {# dirección} other {# direcciones}}',
  missing: 'Pega al menos una dirección.',
  tooMany: '{count, number} direcciones: como máximo {most, number} a la vez.',
  check: 'Comprobar las direcciones',
  preview: {
    title: 'Aún no se ha enviado nada',
    ready:
      '{count, plural, =0 {No se enviaría ninguna invitación} one {Se enviaría # invitación} other {Se enviarían # invitaciones}}',
    submit: '{count, plural, one {Enviar # invitación} other {Enviar # invitaciones}}',
    change: 'Cambiar la lista',
  },
  report: {
    title: 'La lista está procesada',
    sent: '{count, plural, =0 {No se envió ninguna invitación} one {# invitación va de camino} other {# invitaciones van de camino}}',
    another: 'Invitar a otras personas',
    differs:
      'Desde la vista previa cambiaron los miembros, las plazas o los límites: el informe de abajo muestra lo que ocurrió.',
  },
  notInvited: '{count, plural, one {# dirección queda fuera} other {# direcciones quedan fuera}}',
  outcomes: {
    INVITED: 'Invitación',
    RENEWED: 'Invitación renovada: el enlace anterior había caducado',
    MEMBER: 'Ya es miembro',
    ALREADY_INVITED: 'Ya tiene una invitación',
    OWN_ADDRESS: 'Es tu propia dirección',
    MALFORMED: 'No es una dirección de correo electrónico',
    REPEATED: 'Está dos veces en la lista',
    NO_SEAT: 'No quedan plazas en el plan',
    TOO_MANY_MAILS: 'Demasiados correos de invitación en este momento: inténtalo más tarde',
    NOT_ALLOWED: 'Tenía una invitación con un rol que no puedes dar',
  },
  columns: { address: 'Dirección', outcome: 'Qué ocurre' },
  plan: 'Ver el plan',
};
