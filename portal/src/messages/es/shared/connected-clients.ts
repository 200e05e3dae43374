/** The messages of ../../en/shared/connected-clients.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/connected-clients.ts';

export const clients: Translated<typeof english.clients> = {
  host: 'Redirige a',
  loopback: 'Un programa en el equipo de la persona',
  clientId: 'ID de cliente',
  resource: 'Servidor MCP',
  scopes: 'Puede',
  connected: 'Conectado',
  expires: 'Caduca',
  lastUsed: 'Último uso',
  neverUsed: 'Nunca',
  total: '{total, plural, one {# conexión} other {# conexiones}}',
  shownOf: '{shown, number} de {total, number} mostradas',
  end: 'Terminar',
  endOne: 'Terminar la conexión de {name} por {host}',
  wasEnded: 'La conexión de {name} ha terminado. Ya no funciona.',
  ending: {
    title: '¿Terminar la conexión de {name}?',
    text: 'Pierde el acceso de inmediato. Para volver a actuar necesita un nuevo consentimiento.',
    submit: 'Terminar conexión',
  },
};

export const ownClients: Translated<typeof english.ownClients> = {
  title: 'Clientes conectados',
  lead: 'Programas, como asistentes de IA, a los que permites actuar en tu nombre en una organización.',
  list: 'Tus clientes conectados',
  none: 'No has conectado ningún cliente. Añade {address} a un cliente MCP. Entonces pide tu consentimiento, para una organización cada vez. Puedes terminar su conexión aquí en cualquier momento.',
  life: 'Una conexión termina cuando la terminas, dejas su organización o cierras sesión en todas partes.',
};

export const organizationClients: Translated<typeof english.organizationClients> = {
  title: 'Clientes conectados de {name}',
  lead: 'Programas, como asistentes de IA, a los que los miembros permiten actuar en su nombre en esta organización.',
  list: 'Clientes conectados',
  none: 'Ningún miembro ha conectado un cliente.',
  notAllowed: 'Tu rol en esta organización no te permite gestionar sus clientes conectados.',
};

export const mcpPolicy: Translated<typeof english.mcpPolicy> = {
  title: 'Política de clientes',
  lead: 'Un cambio vale desde la siguiente llamada de cada cliente. Un cliente que la política no permite sigue conectado y vuelve a funcionar cuando la política lo permite.',
  clients: 'Clientes que los miembros pueden usar',
  ANY: 'Cualquiera',
  ANY_text: 'Los miembros conectan los clientes que elijan.',
  LISTED: 'Los de las listas',
  LISTED_text: 'Un cliente funciona cuando su ID o el host al que redirige está en la lista.',
  NONE: 'Ninguno',
  NONE_text: 'Ningún cliente funciona ni se puede conectar.',
  clientIds: 'ID de clientes',
  clientIdsHint:
    'Uno por línea; 100 como máximo. El identificador de un cliente registrado o la URL https exacta de un documento de metadatos.',
  redirectHosts: 'Hosts',
  redirectHostsHint:
    'Uno por línea; 100 como máximo. Un cliente funciona cuando redirige exactamente a este host, como app.example.com, o scheme://host si tiene un esquema propio.',
  loopbackTitle: 'Esto permite cualquier programa en el equipo de un miembro',
  loopback:
    '127.0.0.1, localhost y [::1] son el equipo de la propia persona. Cualquier programa en él puede redirigir ahí, muestre el nombre que muestre.',
  submit: 'Guardar política',
  saved: 'La política está guardada. Vale desde la siguiente llamada de cada cliente.',
};
