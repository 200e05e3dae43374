/** The messages of ../../en/organization/plan.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/plan.ts';

export const plan: Translated<typeof english.plan> = {
  title: 'Plan',
  lead: 'El plan de {organization} y lo que sus miembros pueden hacer con él.',
  current: {
    title: 'Plan actual',
    none: 'Sin plan',
    unnamed: 'Un plan sin nombre',
    trialEnds: 'La prueba termina el {date}.',
    trialEnded: 'La prueba terminó el {date}.',
    periodEnds: 'El periodo actual termina el {date}.',
    periodEnded: 'El último periodo terminó el {date}.',
  },
  NONE: {
    badge: 'Sin suscripción',
    meaning:
      'La organización no tiene plan, por lo que no están disponibles las funciones que lo necesitan. Las cuentas, el inicio de sesión y las invitaciones recibidas siguen funcionando.',
  },
  ACTIVE: {
    badge: 'Activo',
    meaning: 'Los miembros pueden hacer lo que incluye el plan y permite su rol.',
  },
  TRIALING: {
    badge: 'En prueba',
    meaning: 'Durante la prueba, los miembros pueden hacer lo que incluye el plan y permite su rol.',
  },
  PAST_DUE: {
    badge: 'Pago atrasado',
    meaning:
      'Hay un pago atrasado. Las funciones del plan no están disponibles hasta que se pague. Los miembros conservan sus cuentas y roles.',
  },
  CANCELED: {
    badge: 'Terminado',
    meaning:
      'El plan ha terminado, por lo que sus funciones no están disponibles. Los miembros conservan sus cuentas y roles.',
  },
  change: {
    manage: 'Gestionar la facturación',
    manageLead: 'Gestiona la forma de pago, las facturas y la cancelación en el proveedor de pagos.',
    subscribe: 'Suscribirse',
    subscribeTo: 'Suscribirse a {product}',
    choose: 'Elige un plan abajo. Pagas en el proveedor de pagos y después vuelves aquí.',
    awaited: 'Esperamos la confirmación del proveedor de pagos.',
    noOther: 'Por el momento no hay otro plan para elegir.',
    askOwner: 'Los propietarios de {organization} pueden cambiar el plan. Pídeselo a uno de ellos.',
    askOperator:
      'Los planes no se pueden cambiar en esta página. Para cambiar el tuyo, contacta con el operador de este servicio.',
    notForSale: 'Este plan no se puede comprar ahora mismo. Contacta con el operador de este servicio.',
    nothingPaid: 'Esta organización aún no ha pagado ningún plan. Elige primero uno.',
  },
  checkout: {
    done: {
      title: 'Completaste la página de pago',
      text: 'El plan cambia aquí en cuanto el proveedor de pagos confirme el pago.',
    },
    cancelled: {
      title: 'Saliste de la página de pago',
      text: 'No has comprado nada y el plan no ha cambiado.',
    },
    reload: 'Actualizar',
  },
  allowed: {
    title: 'Qué puedes hacer',
    lead: {
      OWNER: 'Tu rol y el plan lo deciden juntos. Eres propietario de {organization}.',
      ADMIN: 'Tu rol y el plan lo deciden juntos. Eres administrador de {organization}.',
      MEMBER: 'Tu rol y el plan lo deciden juntos. Eres miembro de {organization}.',
      other: 'Tu rol y el plan lo deciden juntos. Tu rol en {organization} es {role}.',
    },
    granted: 'permitido',
    forbidden: 'no permitido',
    denialReasons: {
      notActive: 'No hay ningún plan activo.',
      notIncluded: 'El plan no lo incluye.',
      role: 'Tu rol no lo incluye.',
    },
    reasons: 'Por qué',
  },
  products: {
    title: 'Qué incluye cada plan',
    lead: 'Para los miembros cuyo rol lo permite.',
    current: 'Plan actual',
    nothing: 'Solo una cuenta',
    members: '{count, plural, one {hasta # miembro} other {hasta # miembros}}',
  },
  scopes: {
    MEMBERS_VIEW: 'Ver quién pertenece a la organización',
    MEMBERS_INVITE: 'Invitar a personas',
    MEMBERS_UPDATE: 'Cambiar roles',
    MEMBERS_REMOVE: 'Quitar a personas',
    ORGANIZATION_UPDATE: 'Cambiar el nombre de la organización',
    BILLING_MANAGE: 'Pagar y gestionar la facturación',
    TOKENS_MANAGE: 'Gestionar tokens y cuentas de servicio',
    MCP_MANAGE: 'Gestionar los clientes MCP conectados',
    AUDIT_VIEW: 'Ver el registro de auditoría de la organización',
  },
};
