/** The pages in Spanish, which says “tú”. */
import type { PageTexts } from '../page-texts.ts';

const signedInAs = 'Iniciaste sesión como';
const startAgain = 'Vuelve a tu cliente e inicia de nuevo la conexión.';
const notUnderstood = 'No se puede entender esta solicitud';

export const texts: PageTexts = {
  consent: {
    title: '¿Permitir el acceso?',
    heading: '¿Permitir que {client} actúe por ti?',
    unverified:
      'El cliente eligió este nombre al registrarse; no está verificado. Permítelo solo si acabas de iniciar tú la conexión.',
    document:
      'Un documento en {host} describe este cliente y le da este nombre. Permítelo solo si acabas de iniciar tú la conexión.',
    documentOfLoopback:
      'Tu respuesta va a un programa de este equipo, y cualquier programa de aquí puede presentar el documento de {host} como suyo. Continúa solo si acabas de iniciar tú la conexión, en un programa en el que confías.',
    signedInAs,
    otherAccount:
      '¿No eres tú? <signOut>Cierra la sesión en el portal</signOut> y vuelve a conectarte desde tu cliente.',
    target: 'Tu respuesta se envía a',
    localApp: 'Una aplicación de este equipo',
    scopes: 'Podrá',
    changes: 'Hace cambios',
    idle: 'Estos permisos no añaden nada aquí: solo valen en el portal',
    narrowed: 'También solicitó permisos que no tienes. No los recibe.',
    time: 'Durante cuánto tiempo',
    lifetime:
      '{time} como máximo. Puedes terminarlo en cualquier momento en el portal, entre <devices>tus dispositivos</devices>; también puede hacerlo cualquier superadministrador que pueda terminar sesiones.',
    refuse: 'Rechazar',
    allow: 'Permitir',
  },
  scopes: {
    'sessions:revoke': 'Cerrar la sesión de cualquier persona, en un dispositivo o en todos',
    'users:suspend': 'Suspender a personas, para que no puedan iniciar sesión, y reactivarlas',
    'invitations:manage': 'Volver a enviar invitaciones y retirarlas',
    'mcp:whoami': 'Ver quién eres y qué puedes hacer aquí',
    'sessions:view': 'Ver quién tiene la sesión iniciada, desde cuándo y desde dónde',
    'users:view': 'Buscar personas y ver sus nombres, direcciones de correo y organizaciones',
    'organizations:view': 'Ver cada organización, su plan, sus miembros y sus invitaciones abiertas',
    'mcp:access:view': 'Ver qué clientes MCP están registrados y cuándo se usaron por última vez',
  },
  organization: {
    heading: '¿Permitir que {client} actúe por usted en {organization}?',
    organization: 'Organización',
    choose: 'Elegir otra',
    organizationOnly: 'Solo obtiene acceso a esta organización. Para otra hace falta otra conexión.',
    resource: 'Acceso a',
    missing: 'También pide estos permisos, y no los obtiene',
    missingRole: 'Su rol aquí, {role}, no lo concede.',
    missingPlan: 'El plan de la organización no lo incluye.',
    missingPayment: 'La suscripción de la organización no está activa, así que no concede nada.',
    lifetime:
      'Durante {time} como máximo. Puede terminarlo en cualquier momento en el portal, entre <clients>sus clientes conectados</clients>. Termina cuando deja la organización, y los administradores de la organización también pueden terminarlo.',
    notAccepted:
      '{organization} no admite este cliente. Un propietario o administrador puede cambiarlo en el portal, en los clientes MCP de la organización.',
    nothingHeld: 'En {organization} no tiene ninguno de los permisos que pide este cliente.',
    secondFactor:
      '{organization} exige un segundo factor, y en esta sesión no ha usado ninguno. <confirm>Confirme con uno</confirm> o elija otra organización.',
    accountHeading: 'No puede conectar {client} con esta cuenta',
    accountLead:
      'Este cliente pide acceso a una organización, y la cuenta que ha iniciado sesión aquí no pertenece a ninguna.',
  },
  organizationScopes: {
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
  account: {
    title: 'Se necesita otra cuenta',
    heading: 'Solo un superadministrador puede conectar {client}',
    lead: 'El MCP de la plataforma actúa sobre todo el servicio. La cuenta que tiene aquí la sesión iniciada no es de un superadministrador.',
    signedInAs,
    effect:
      'Si usas otra cuenta, primero se cierra tu sesión del portal en este navegador. Si cancelas, se deniega el acceso al cliente.',
    cancel: 'Cancelar',
    other: 'Usar otra cuenta',
  },
  link: {
    title: '¿Vincular con esta cuenta?',
    lead: 'Este navegador no tiene iniciada la sesión que solicitó la vinculación. Vincula las dos cuentas solo si ambas son tuyas y lo pediste tú.',
    identity: 'Tu cuenta en {provider}',
    noName: 'Una cuenta sin nombre',
    account: 'La cuenta de aquí',
    otherAddress: 'Su dirección no es la de tu cuenta en {provider}. Si no es tuya, elige «No vincular».',
    effect: 'Si las vinculas',
    effectText: 'Al iniciar sesión con {provider} se abrirá siempre la cuenta indicada arriba.',
    refuse: 'No vincular',
    connect: 'Vincular',
  },
  failed: {
    title: 'Algo salió mal',
    message: 'El problema es nuestro.',
    advice: 'Si ocurre de nuevo, envía este identificador al operador de este servicio: {id}',
  },
  limited: {
    title: 'Demasiadas solicitudes',
    message: 'Desde tu red llegaron demasiadas solicitudes de acceso en la última hora.',
    advice: 'Espera {wait}; después vuelve a tu cliente e inicia de nuevo la conexión.',
  },
  unavailable: {
    title: 'No disponible en este momento',
    message: 'El servicio no puede responder ahora mismo. Vuelve a intentarlo en breve.',
    advice: startAgain,
  },
  misread: {
    title: notUnderstood,
    message: 'La solicitud no procede de esta página.',
    advice: startAgain,
  },
  malformed: {
    title: notUnderstood,
    message: 'La solicitud del cliente no tiene la forma necesaria.',
    advice: 'Tiene que corregirlo quien desarrolla el cliente; aquí no puedes cambiarlo.',
  },
  answered: {
    title: 'Esta solicitud ya está respondida',
    message: 'Ya respondiste a esta solicitud. Cada solicitud se responde una vez, y el cliente tiene tu respuesta.',
    advice: 'Vuelve a tu cliente. Si no está conectado, inicia de nuevo la conexión desde allí.',
  },
  clientUnknown: {
    title: 'Este cliente no está registrado aquí',
    message: 'No hay ningún cliente registrado con el identificador que envió este.',
    advice: 'Quita este servidor de tu cliente y añádelo de nuevo, para que vuelva a registrarse.',
  },
  clientRevoked: {
    title: 'Este cliente ya no puede conectarse',
    message: 'Se revocó el registro de este cliente.',
    advice:
      'Quita este servidor de tu cliente y añádelo de nuevo, o pregunta a un superadministrador por qué se revocó.',
  },
  clientDocument: {
    title: 'No se puede identificar este cliente',
    message: 'El documento en el que este cliente se describe no se puede usar.',
    advice:
      'Espera un minuto y vuelve a conectar. Si esta página aparece de nuevo, comunica a quien desarrolla el cliente lo que dice abajo. Un superadministrador encuentra más entre las conexiones del portal.',
  },
  redirectUri: {
    title: 'No se puede responder a este cliente',
    message:
      'El URI de redirección no es uno de los que este cliente registró y puede usar aquí. Solo puede variar el puerto de una dirección de bucle invertido.',
    advice:
      'Para quien lo desarrolla: registra exactamente este URI de redirección. Si no es una dirección de bucle invertido, también tiene que estar en MCP_REDIRECT_ALLOW_LIST de este servicio.',
  },
  expired: {
    title: 'Esta solicitud ha terminado',
    message: 'Esta solicitud no existe o caducó a los diez minutos.',
    advice: startAgain,
  },
  otherBrowser: {
    title: 'Esta solicitud es de otro navegador',
    message: 'Esta solicitud empezó en otro navegador, o este navegador no conservó su cookie.',
    advice:
      'Respóndela en el navegador que abrió tu cliente, con las cookies activadas, o inicia de nuevo la conexión desde aquí.',
  },
  otherPage: {
    title: 'Tu respuesta no contó',
    message:
      'Esta respuesta no procede de la página de este servicio, o desde que se mostró la página otra persona inició sesión aquí.',
    advice: 'No se decidió nada. Abre de nuevo esta página para ver la solicitud.',
  },
};
