/** The messages of ../../en/account/account.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/account.ts';

export const home: Translated<typeof english.home> = {
  title: 'Tu cuenta',
  greeting: 'Hola, {name}',
  profile: 'Tu perfil',
  verified: 'Confirmada',
  verifiedSince: 'Confirmada el {date}',
  notVerified: 'Sin confirmar',
  superAdmin: 'Superadministrador',
  organization: 'Organización',
  noOrganization: 'Ninguna está activa',
  role: 'Rol',
  scopes: '{count, plural, =0 {Sin permisos} one {# permiso} other {# permisos}}',
};

export const accountPages: Translated<typeof english.accountPages> = {
  navigation: 'Cuenta',
  account: 'Cuenta',
  security: 'Seguridad',
  tokens: 'Tokens personales',
  clients: 'Clientes conectados',
  data: 'Tus datos',
  title: 'Cuenta',
  goOnTitle: 'Tu sesión ya tiene un segundo factor',
  goOn: 'Seguir con lo que empezaste',
  securityTitle: 'Seguridad',
  dataTitle: 'Tus datos',
  session: 'Esta sesión',
  sessionLead: 'Algunos cambios te piden confirmar tu identidad.',
  provedAt: 'La confirmaste por última vez el {date}',
  provedAtUnknown: 'Aún no la has confirmado en esta sesión',
  withSecondFactor: 'Con una clave de acceso o un segundo factor.',
  withoutSecondFactor: 'Sin clave de acceso ni segundo factor.',
};

export const ownData: Translated<typeof english.ownData> = {
  exportTitle: 'Una copia de tus datos',
  exportLead:
    'Todo lo que se guarda aquí sobre ti, en un archivo JSON: tu cuenta, tus organizaciones, tus sesiones y sus direcciones.',
  export: 'Descargar',
  exported: 'El archivo se está descargando.',
  deleteTitle: 'Eliminar tu cuenta',
  deleteLead: 'Esto no se puede deshacer.',
  deleteText:
    'Se cierra la sesión en todos los dispositivos y dejas tus organizaciones. Las que no tienen otro miembro se eliminan con todo su contenido.',
  deleteTextWithTokens:
    'Se cierra la sesión en todos los dispositivos, terminan tus tokens personales y dejas tus organizaciones. Las que no tienen otro miembro se eliminan con todo su contenido.',
  open: 'Eliminar cuenta',
  typeEmail: 'Escribe {email} para confirmar',
  emailMissing: 'Escribe tu dirección de correo electrónico.',
  submit: 'Eliminar mi cuenta',
  LAST_OWNER:
    'Eres la única persona propietaria de una organización que tiene otros miembros. Haz primero propietario a uno de ellos.',
  SUBSCRIPTION_ACTIVE:
    'Una organización de la que eres el único miembro tiene un plan en curso. Termínalo primero, en «Plan».',
  FORBIDDEN: 'Esta cuenta no se puede eliminar aquí. Contacta con el operador de este servicio.',
};

export const ownAccount: Translated<typeof english.ownAccount> = {
  title: 'Tu nombre y contraseña',
  name: 'Nombre',
  changeName: 'Cambiar nombre',
  save: 'Guardar',
  password: 'Contraseña',
  changePassword: 'Cambiar contraseña',
  setPassword: 'Establecer una contraseña',
  noPassword: 'Ninguna',
  currentPassword: 'Contraseña actual',
  newPassword: 'Contraseña nueva',
  othersSignedOut: 'Se cierra la sesión en todos los demás dispositivos y clientes.',
  othersSignedOutNotTokens:
    'Se cierra la sesión en todos los demás dispositivos y clientes. Tus tokens personales siguen funcionando.',
  savePassword: 'Cambiar contraseña',
  passwordChanged: 'Se cambió tu contraseña. Se cerró la sesión en todos los demás dispositivos y clientes.',
  passwordChangedNotTokens:
    'Se cambió tu contraseña. Se cerró la sesión en todos los demás dispositivos y clientes; tus tokens personales siguen funcionando.',
  wrongPassword: 'Esta no es tu contraseña actual.',
};

export const emailSection: Translated<typeof english.emailSection> = {
  title: 'Tu dirección de correo electrónico',
  change: 'Cambiar dirección de correo electrónico',
  newEmail: 'Nueva dirección de correo electrónico',
  hint: 'Enviamos un enlace a esa dirección. Tu dirección cambia cuando abres el enlace y confirmas el cambio.',
  missing: 'Introduce tu nueva dirección de correo electrónico.',
  submit: 'Enviar el enlace',
  requested:
    'Si se puede usar {email}, allí llegará un mensaje con un enlace. Ábrelo en un plazo de 24 horas, con la sesión iniciada aquí. Hasta entonces tu dirección no cambia. Enviamos como máximo un mensaje así por hora: si ya solicitaste esta dirección, usa el enlace que tienes.',
  pending: 'Tu dirección se cambió en las últimas 72 horas. No se puede volver a cambiar hasta que pase ese tiempo.',
};

export const signInMethods: Translated<typeof english.signInMethods> = {
  title: 'Formas de iniciar sesión',
  lead: 'Con cualquiera de ellas puedes iniciar sesión en esta cuenta.',
  password: 'Contraseña',
  passwordSet: 'Establecida',
  passwordNotSet: 'Sin establecer',
  notConnected: 'Sin conectar',
  connectedAs: 'Conectado como {email} desde el {date}',
  connectedSince: 'Conectado desde el {date}',
  connect: 'Conectar',
  connectProvider: 'Conectar {provider}',
  disconnect: 'Desconectar',
  disconnectProvider: 'Desconectar {provider}',
  onlyMethod: 'No puedes desconectarlo: es la única forma de iniciar sesión en esta cuenta.',
  connected: '{provider} está conectado. Ya puedes usarlo para iniciar sesión.',
  disconnected: '{provider} está desconectado. Ya no sirve para iniciar sesión.',
  confirm: {
    title: '¿Desconectar {provider}?',
    text: 'Iniciarás sesión de otra forma. Los dispositivos con la sesión iniciada la conservan.',
    submit: 'Desconectar',
  },
};

export const devices: Translated<typeof english.devices> = {
  title: 'Tus dispositivos',
  lead: 'Todos los lugares donde tu cuenta tiene la sesión iniciada.',
  unsure: '¿Ves algún dispositivo que no reconoces?',
  thisDevice: 'Este dispositivo',
  apiClient: 'Cliente de API',
  mcpClient: 'Cliente MCP',
  addressUnknown: 'Dirección desconocida',
  signedIn: 'Sesión iniciada el {date}',
  lastSeen: 'Última actividad {when}',
  neverSeen: 'Sin uso desde entonces',
  inUse: 'En uso ahora',
  justNow: 'hace un momento',
  signOut: 'Cerrar sesión',
  signOutThis: 'Cerrar sesión en este dispositivo',
  signOutOther: 'Cerrar sesión en {device}',
  everywhere: 'Cerrar sesión en todas partes',
  ended: 'Se cerró la sesión en {device}.',
  names: {
    browserOnSystem: '{browser} en {system}',
    unknown: 'Dispositivo desconocido',
  },
  confirmOne: {
    title: '¿Cerrar sesión en {device}?',
    text: 'Perderá el acceso de inmediato y tendrá que volver a iniciar sesión.',
    submit: 'Cerrar sesión en el dispositivo',
  },
  confirmEverywhere: {
    title: '¿Cerrar sesión en todas partes?',
    text: 'Todos los dispositivos perderán el acceso de inmediato, incluidos este y los clientes de API. Tendrás que volver a iniciar sesión.',
    textWithTokens:
      'Todos los dispositivos perderán el acceso de inmediato, incluidos este, los clientes de API y tus tokens personales. Tendrás que volver a iniciar sesión y crear tokens nuevos donde los necesites.',
    submit: 'Cerrar sesión en todas partes',
  },
};
