/** The messages of ../../en/shared/consent.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/consent.ts';

export const consent: Translated<typeof english.consent> = {
  title: '¿Permites el análisis de uso?',
  text: 'Si lo permites, se guarda durante 30 días un identificador aleatorio para el análisis de uso con una cookie de este navegador. Si lo rechazas, no hay identificador, solo tu respuesta. El inicio de sesión funciona igual en ambos casos y puedes cambiar tu respuesta.',
  allow: 'Permitir',
  decline: 'Rechazar',
  now: {
    allowed: 'Actualmente lo permites. Si lo rechazas ahora, se elimina el identificador.',
    declined: 'Actualmente lo rechazas.',
  },
  change: 'Opción de privacidad',
  notRecorded: 'Tu respuesta no se guardó. Vuelve a intentarlo.',
  recorded: {
    allowed: 'Permitiste el análisis de uso.',
    declined: 'Rechazaste el análisis de uso. No se guarda ningún identificador.',
    withdrawn: 'Permiso retirado. Se eliminó el identificador.',
  },
  section: {
    title: 'Privacidad',
    lead: 'Si se permite el análisis de uso en este navegador.',
    open: {
      title: 'Aún no has respondido',
      text: 'Mientras no lo permitas, no se guarda ningún identificador para el análisis de uso.',
    },
    allowed: {
      title: 'Permites el análisis de uso',
      text: 'Se guarda un identificador aleatorio para este navegador hasta 30 días después de tu respuesta. Si retiras el permiso, se elimina de inmediato; si vuelves a permitir el análisis de uso, se crea uno nuevo.',
    },
    declined: {
      title: 'Rechazas el análisis de uso',
      text: 'No se guarda ningún identificador, solo esta respuesta, durante 30 días.',
    },
    id: 'Tu identificador:',
    allow: 'Permitir el análisis de uso',
    withdraw: 'Retirar',
  },
};
