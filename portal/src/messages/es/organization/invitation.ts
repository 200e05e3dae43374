/** The messages of ../../en/organization/invitation.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invitation.ts';

export const invitation: Translated<typeof english.invitation> = {
  title: 'Invitación',
  join: 'Unirse a {organization}',
  as: {
    OWNER: 'Te invitan a unirte como propietario.',
    ADMIN: 'Te invitan a unirte como administrador.',
    MEMBER: 'Te invitan a unirte como miembro.',
    other: 'Te invitan a unirte con el rol {role}.',
  },
  openUntil: 'La invitación está abierta hasta el {date}.',
  completeProfile: {
    lead: 'Elige el nombre y la contraseña que usarás aquí.',
    submit: 'Crear cuenta y unirse',
    address:
      'Tu cuenta pertenecerá a la dirección a la que se envió esta invitación. Si ya tienes una cuenta con otra dirección, con ella no se puede aceptar esta invitación: pide a la persona que te invitó que invite a esa dirección.',
  },
  signIn: {
    lead: 'La dirección a la que se envió esta invitación ya tiene una cuenta. Inicia sesión con ella y podrás aceptar aquí.',
    submit: 'Iniciar sesión para aceptar',
  },
  accept: {
    lead: 'Iniciaste sesión como <who>{email}</who>. Si aceptas, te unes a {organization}. Sigues en tus otras organizaciones.',
    submit: 'Aceptar la invitación',
    later: 'Ahora no',
  },
  otherAccount: {
    title: 'Esta invitación es para otra persona',
    lead: 'Iniciaste sesión como <who>{email}</who>, y la invitación a {organization} se envió a otra dirección.',
    advice:
      'Si esa dirección también es tuya, cierra la sesión aquí y continúa con ella. Si no, pide a la persona que te invitó que invite a la dirección que usas.',
    submit: 'Cerrar sesión y continuar',
    stay: 'Mantener la sesión',
  },
  EXPIRED: {
    title: 'Esta invitación ha caducado',
    text: 'Te invitaba a unirte a {organization}. Pide a la persona que la envió que la envíe de nuevo: llegará un enlace nuevo a la misma dirección.',
  },
  ACCEPTED: {
    title: 'Ya se aceptó esta invitación',
    text: 'El enlace funciona una vez y ya se usó para unirse a {organization}.',
    visitor: 'Si fuiste tú, inicia sesión como siempre.',
    signedIn: 'Si fuiste tú, no queda nada por hacer.',
  },
  unknown: {
    title: 'Esta invitación no funciona',
    text: 'Es posible que se haya retirado o que la sustituya un mensaje más reciente: búscalo y usa su enlace. Si no hay ninguno, pide a la persona que te invitó que envíe la invitación de nuevo.',
  },
  seats:
    'Pide a la persona que te invitó que haga sitio. La invitación sigue abierta y podrás aceptarla aquí entonces.',
  changed: 'La invitación cambió entretanto. Esta página muestra ahora su estado actual.',
};
