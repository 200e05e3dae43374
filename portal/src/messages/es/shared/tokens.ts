/** The messages of ../../en/shared/tokens.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/tokens.ts';

export const tokens: Translated<typeof english.tokens> = {
  statuses: {
    ACTIVE: 'Activo',
    PENDING: 'Pendiente de aprobación',
    BLOCKED: 'Bloqueado por la política',
    EXPIRED: 'Caducado',
    REVOKED: 'Revocado',
  },
  why: {
    PENDING: 'Funcionará cuando lo apruebe una persona que gestiona los tokens de {organization}.',
    BLOCKED: 'La política de {organization} lo bloquea ahora. Volverá a funcionar cuando la política lo permita.',
  },
  organization: 'Organización',
  scopes: 'Puede',
  lastCharacters: 'Secreto',
  endsIn: 'termina en <code>{characters}</code>',
  expires: 'Caduca',
  expired: 'Caducó',
  revoked: 'Revocado',
  lastUsed: 'Último uso',
  usedFrom: '{when}, desde {address}',
  neverUsed: 'Nunca',
  previousSecret: 'El secreto anterior también funciona hasta el {date}.',
  rotate: 'Rotar',
  rotateOne: 'Rotar {name}, que termina en {characters}',
  revoke: 'Revocar',
  revokeOne: 'Revocar {name}, que termina en {characters}',
  wasRevoked: '{name} está revocado y ya no funciona.',
  rotation: {
    title: '¿Rotar {name}?',
    text: 'Recibes un secreto nuevo, que se muestra una sola vez y vale tanto tiempo como el actual.',
    overlap: 'El secreto actual sigue funcionando',
    seconds0: 'No: termina de inmediato',
    seconds3600: 'Durante 1 hora',
    seconds86400: 'Durante 1 día',
    seconds604800: 'Durante 7 días',
    submit: 'Rotar token',
  },
  revocation: {
    title: '¿Revocar {name}?',
    text: 'Lo que lo usa pierde el acceso de inmediato, también con un secreto anterior. No se puede deshacer.',
    submit: 'Revocar token',
  },
  secret: {
    title: 'Copia ahora el secreto de {name}',
    text: 'Solo se muestra esta vez. Guárdalo como una contraseña: con él, un programa puede hacer todo lo que el token permite.',
    pending: 'Todavía no funciona: antes tiene que aprobarlo una persona que gestiona los tokens.',
    name: 'Secreto',
    copy: 'Copiar el secreto',
    example: 'Cómo usarlo',
    exampleLead: 'Guarda el secreto como TOKEN en tu shell y luego:',
    copyExample: 'Copiar el ejemplo',
    done: 'Ya lo he guardado',
  },
  refusals: {
    missing: 'Tú tampoco puedes hacer esto en la organización: {scopes}.',
    limitTitle: 'No se permiten más',
    limit: 'Elimina uno que ya no haga falta y vuelve a intentarlo.',
    limitOfAccount:
      'Una cuenta de servicio tiene como máximo dos tokens vigentes. Revoca uno, o rota uno para obtener un secreto nuevo.',
  },
};

export const tokenForm: Translated<typeof english.tokenForm> = {
  scopes: 'Qué puede hacer',
  scopesMissing: 'Elige al menos una opción.',
  expiry: 'Caduca',
  inDays: '{days, plural, one {En # día} other {En # días}}',
  onDate: 'En una fecha que elijas',
  date: 'Fecha de caducidad',
  dateMissing: 'Elige una fecha futura.',
  submit: 'Crear token',
};

export const ownTokens: Translated<typeof english.ownTokens> = {
  title: 'Tokens personales',
  lead: 'Con un token personal, un script o programa tuyo usa la API en tu nombre, sin tu contraseña.',
  list: 'Tus tokens',
  ended: 'Terminados en los últimos 90 días',
  none: 'No tienes tokens personales. Crea uno para un script, un servidor de compilación o una herramienta que llame a la API. Un token solo puede hacer lo que elijas, y nunca más que tú. Puedes revocarlo cuando quieras.',
  life: 'Un token personal termina cuando lo revocas, dejas su organización o cierras sesión en todas partes. Una contraseña nueva no lo cambia.',
  create: 'Crear un token',
  createTitle: 'Nuevo token personal',
  createLead: 'Solo funciona en {organization}.',
  name: 'Nombre',
  nameHint: 'Para que lo reconozcas, por ejemplo «script de copias».',
  nameMissing: 'Escribe un nombre para el token.',
  noOrganization: 'Un token funciona en una organización. Elige primero una.',
  noScopes: 'Ahora no puedes hacer nada en {organization}, así que un token tampoco podría.',
  forbidden:
    '{organization} no permite tokens personales en este momento. Pregunta a una persona que gestione sus tokens.',
};
