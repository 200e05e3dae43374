/** The messages of ../../en/platform/console-sign-ins.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-sign-ins.ts';

export const consoleSignIns: Translated<typeof english.consoleSignIns> = {
  title: 'Inicios de sesión',
  lead: 'Intentos de iniciar sesión, también los rechazados, los más recientes primero. Lo que se escribió no se guarda.',
  total: '{total, plural, =0 {Ningún intento} one {# intento} other {# intentos}}',
  moreThan: 'Más de {total, number} intentos',
  none: 'Ningún intento coincide con estos filtros.',
  outcome: 'Resultado:',
  success: 'Sesión iniciada',
  method: 'Con:',
  network: 'Dirección IP o red',
  from: 'Desde',
  to: 'Hasta',
  onePerson: 'Solo una persona',
  person: 'Solo {email}',
  remove: 'Quitar filtro: {filter}',
  columns: { when: 'Cuándo', person: 'Persona', outcome: 'Resultado', from: 'Desde dónde' },
  unknownPerson: 'Persona desconocida',
  ofPerson: 'Inicios de sesión recientes',
  noneOfPerson: 'No hay registrado ningún inicio de sesión de los últimos días.',
  all: 'Ver todos los inicios de sesión',
};

export const suspension: Translated<typeof english.suspension> = {
  suspend: 'Suspender',
  reinstate: 'Reactivar',
  confirm: {
    title: '¿Suspender a {email}?',
    text: 'Todas las sesiones de {email} terminan de inmediato, y ninguna forma de iniciar sesión funciona hasta que se reactive la cuenta. Un correo se lo comunica, sin el motivo.',
    submit: 'Suspender',
    reason: 'Motivo, para superadministradores',
    reasonMissing: 'Escribe el motivo, con un máximo de 200 caracteres.',
  },
  confirmReinstate: {
    title: '¿Reactivar a {email}?',
    text: '{email} puede volver a iniciar sesión y lo sabrá por correo. Las sesiones que terminaron siguen terminadas.',
    submit: 'Reactivar',
  },
  done: 'Se suspendió a {email}. {count, plural, =0 {No había ningún token activo.} one {Había # token activo y ha terminado.} other {Había # tokens activos y han terminado.}}',
  reinstated: '{email} puede volver a iniciar sesión.',
  list: 'Suspensiones',
  by: 'Por {email}, {date}',
  byGone: 'Por una cuenta que ya no existe, {date}',
  lasts: 'Sigue vigente',
  endedBy: 'Terminada por {email}, {date}',
  endedByOperator: 'Terminada por un operador, {date}',
  columns: { reason: 'Motivo', began: 'Inicio', ended: 'Fin' },
};
