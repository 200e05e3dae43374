/** The mails in Spanish, which says «tú», without regional forms. */
import type { MailTexts } from '../mails.ts';
import { tokenTexts } from './tokens/es.ts';

const signIn = 'Iniciar sesión';
const seeSecurity = 'Ver la seguridad de tu cuenta';
const seeWays = 'Ver tus formas de iniciar sesión';
const seeDevices = 'Ver tus dispositivos';
const strangerHasSession =
  'Si no fuiste tú, otra persona tiene una sesión iniciada en tu cuenta: cierra sesión en todas partes en «Tus dispositivos» y contacta con el operador de este servicio.';
const inviteRole =
  '{role, select, OWNER { como propietario} ADMIN { como administrador} MEMBER { como miembro} named { con el rol «{roleTitle}»} other {}}';
const inviteEnd = 'El enlace te muestra la invitación. Solo te unirás si la aceptas en los próximos 7 días.';
const inviteRemark =
  'Esta invitación es para {email}. No reenvíes este correo: una persona que tenga el enlace podría unirse en tu lugar. Si no sabes quién te invita, ignora este correo.';
const kept =
  'Hasta hace poco era la dirección de una cuenta, y el enlace de nuestro correo sobre ese cambio puede restablecerla hasta el {until}. Hasta entonces, ninguna otra cuenta puede usarla.';
const account = '{hasEmail, select, yes {la cuenta {email} en {provider}} other {una cuenta en {provider}}}';
const linkedByAddress = `El {at}, ${account} se conectó a tu cuenta porque tiene tu dirección y se usó para iniciar sesión aquí. A partir de ahora se puede usar para iniciar sesión en tu cuenta.`;
const disconnect =
  'Si no fuiste tú, inicia sesión con tu contraseña, desconecta {provider} en «Formas de iniciar sesión» y cierra sesión en todas partes en «Tus dispositivos».';
const disconnectAndSecure = `${disconnect} En ese caso, otra persona podría usar {provider} con tu dirección: protege también esa cuenta.`;
const secureProvider =
  'Si no fuiste tú, otra persona puede usar {provider} con tu dirección: protege esa cuenta y contacta con el operador de este servicio.';
const nothingToDo = 'Si no fuiste tú, no tienes que hacer nada: la respuesta no reveló que tienes una cuenta.';
const way = '{way, select, password {tu contraseña} other {tu clave de acceso}}';
const changedByOwner = 'Si cambiaste tú la dirección de la cuenta, no tienes que hacer nada.';
const notAsked = 'Si no lo solicitaste, contacta con el operador de este servicio.';
const canSignInWith = 'Ahora puedes iniciar sesión con {provider}';
const keptTokens =
  '{tokens, plural, =0 {} one { Tu token personal sigue siendo válido: una contraseña nueva no le pone fin.} other { Tus # tokens personales siguen siendo válidos: una contraseña nueva no les pone fin.}}';

export const texts: MailTexts = {
  shared: {
    greeting: 'Hola, {name}:',
    greetingWithoutName: 'Hola:',
    support: 'Ayuda:',
    openAddress: 'Si el botón no funciona, abre esta dirección:',
    identityProvider: 'el proveedor de identidad',
  },
  verification: {
    subject: 'Confirma tu dirección de correo electrónico',
    body: 'El {at} se solicitó una cuenta con esta dirección. Si fuiste tú, confirma que la dirección es tuya y podrás iniciar sesión con la contraseña que elegiste entonces.',
    action: 'Confirmar mi dirección',
    secondAction: 'No solicité esta cuenta',
    remark:
      'El primer enlace funciona una sola vez, durante 24 horas. El segundo elimina la cuenta que se solicitó: úsalo si no fuiste tú, o para empezar de nuevo con otra contraseña. Si no usas ninguno, la cuenta no se podrá usar y se eliminará una semana después de que caduque el primer enlace.',
  },
  alreadyRegistered: {
    subject: 'Ya tienes una cuenta',
    body: 'El {at} se intentó crear una cuenta con esta dirección; probablemente fuiste tú. La dirección ya tiene una cuenta, y nada en ella ha cambiado.',
    action: signIn,
    remark: nothingToDo,
  },
  alreadyRegisteredChange: {
    subject: 'Ya tienes una cuenta',
    body: 'El {at}, una persona con la sesión iniciada en otra cuenta, probablemente tú, pidió usar esta dirección para ella. La dirección ya tiene una cuenta, y nada en ella ha cambiado.',
    action: signIn,
    remark: nothingToDo,
  },
  addressKept: {
    subject: 'Esta dirección está reservada para una cuenta',
    body: `El {at} se intentó crear una cuenta con esta dirección. ${kept}`,
    remark: changedByOwner,
  },
  addressKeptChange: {
    subject: 'Esta dirección está reservada para una cuenta',
    body: `El {at}, una persona con la sesión iniciada en otra cuenta pidió usar esta dirección para ella. ${kept}`,
    remark: changedByOwner,
  },
  emailChangeConfirmation: {
    subject: 'Confirma tu nueva dirección de correo electrónico',
    body: 'El {at}, una persona con la sesión iniciada en la cuenta de {email} pidió usar esta dirección para ella. Si fuiste tú, abre el enlace y confirma el cambio.\n\nA partir de entonces iniciarás sesión con esta dirección, y los correos de la cuenta se enviarán a ella.',
    action: 'Confirmar mi nueva dirección',
    remark:
      'El enlace funciona una sola vez, durante 24 horas, y solo para una persona con la sesión iniciada en la cuenta. Si no fuiste tú, no tienes que hacer nada: no cambiará nada.',
  },
  emailChangeRequested: {
    subject: 'Se solicitó una nueva dirección de correo para tu cuenta',
    body: 'El {at} se solicitó la dirección {newEmail} para tu cuenta en una sesión iniciada en ella. No cambia nada hasta que se confirme la nueva dirección; entonces se avisará a esta dirección.',
    action: 'Ver tu cuenta',
    remark:
      'Si no fuiste tú, otra persona tiene una sesión iniciada en tu cuenta: cambia tu contraseña y cierra sesión en todas partes. Cualquiera de las dos cosas anula la solicitud.',
  },
  emailChanged: {
    subject: 'Se cambió la dirección de correo de tu cuenta',
    body: 'El {at}, la dirección de tu cuenta se cambió de {email} a {newEmail}. Si fuiste tú, no tienes que hacer nada.\n\nSi no fuiste tú, deshaz el cambio con este enlace. El enlace restablece esta dirección, y la contraseña y las demás formas de iniciar sesión que tenía la cuenta 72 horas antes de que se solicitara el cambio, quita las añadidas desde entonces y cierra la sesión en todos los dispositivos.',
    action: 'Deshacer el cambio',
    remark:
      'El enlace funciona una sola vez, durante 72 horas. No reenvíes este correo: una persona que tenga el enlace puede deshacer el cambio.',
  },
  emailChangeUndone: {
    subject: 'Se restableció la dirección de correo de tu cuenta',
    body: 'Tu cuenta tiene de nuevo esta dirección y las formas de iniciar sesión que tenía el {at}: la contraseña (o la que el operador haya fijado después), las claves de acceso, los códigos de un solo uso y las conexiones con un proveedor de entonces, y nada de lo que se añadió después. Se cerró la sesión en todos los dispositivos y clientes.\n\nSi no solicitaste el cambio que se deshizo, otra persona tenía una sesión iniciada en tu cuenta: inicia sesión y cambia tu contraseña.',
    action: signIn,
    remark: 'Si no puedes iniciar sesión, contacta con el operador de este servicio.',
  },
  invitation: {
    subject: 'Invitación para unirte a «{organization}»',
    body: `{inviter} te invita a unirte a «{organization}»${inviteRole}.\n\n${inviteEnd}`,
    action: 'Ver la invitación',
    remark: inviteRemark,
  },
  invitationByOperator: {
    subject: 'Invitación para unirte a «{organization}»',
    body: `Tienes una invitación para unirte a «{organization}»${inviteRole}.\n\n${inviteEnd}`,
    action: 'Ver la invitación',
    remark: inviteRemark,
  },
  oneTimeCodesAdded: {
    subject: 'El inicio de sesión pide ahora un código de un solo uso',
    body: 'El {at} se añadió una aplicación de autenticación a tu cuenta en una sesión iniciada en ella. Después de la contraseña, el inicio de sesión pide un código de esa aplicación o un código de recuperación.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesReplaced: {
    subject: 'Tus códigos de un solo uso vienen ahora de otra aplicación',
    body: 'El {at}, una aplicación de autenticación sustituyó a la anterior en una sesión iniciada en tu cuenta. Ya no se aceptan los códigos de la anterior ni los códigos de recuperación antiguos.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesRemoved: {
    subject: 'El inicio de sesión ya no pide un código de un solo uso',
    body: 'El {at} se quitaron la aplicación de autenticación y los códigos de recuperación de tu cuenta en una sesión iniciada en ella.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodesRenewed: {
    subject: 'Se sustituyeron tus códigos de recuperación',
    body: 'El {at} se crearon nuevos códigos de recuperación en una sesión iniciada en tu cuenta. Los anteriores ya no se aceptan.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodeUsed: {
    subject: 'Se usó un código de recuperación de tu cuenta',
    body: 'El {at} se usó un código de recuperación en lugar de un código de un solo uso. {left, plural, =0 {No queda ninguno: crea códigos nuevos.} one {Queda uno.} other {Quedan #.}}',
    action: seeSecurity,
    remark:
      'Si no fuiste tú, otra persona tiene tus códigos de recuperación y tu contraseña: cambia la contraseña y crea nuevos códigos de recuperación.',
  },
  passkeyAdded: {
    subject: 'Se añadió una clave de acceso a tu cuenta',
    body: 'El {at} se añadió la clave de acceso «{passkey}» a tu cuenta en una sesión iniciada en ella. A partir de ahora se puede usar para iniciar sesión en tu cuenta.',
    action: 'Ver tus claves de acceso',
    remark:
      'Si no fuiste tú, otra persona tiene una sesión iniciada en tu cuenta: cierra sesión en todas partes en «Tus dispositivos», cambia tu contraseña y contacta con el operador de este servicio, que puede quitar la clave de acceso.',
  },
  passkeyRemoved: {
    subject: 'Se quitó una clave de acceso de tu cuenta',
    body: 'El {at} se quitó la clave de acceso «{passkey}» de tu cuenta en una sesión iniciada en ella. Ya no sirve para iniciar sesión en tu cuenta. Tus sesiones siguen iniciadas.',
    action: 'Ver tus claves de acceso',
    remark:
      'Si no fuiste tú, inicia sesión, cambia tu contraseña y cierra sesión en todas partes en «Tus dispositivos».',
  },
  passwordAdded: {
    subject: 'Ahora puedes iniciar sesión con una contraseña',
    body: `El {at} se añadió una contraseña a tu cuenta en una sesión iniciada en ella. Se cerró la sesión en todos los demás dispositivos y clientes.${keptTokens}`,
    action: seeDevices,
    remark:
      'Si no fuiste tú, otra persona tiene una sesión iniciada en tu cuenta: contacta con el operador de este servicio.',
  },
  passwordChanged: {
    subject: 'Se cambió la contraseña de tu cuenta',
    body: `El {at} se cambió la contraseña de tu cuenta en una sesión iniciada en ella. Se cerró la sesión en todos los demás dispositivos y clientes.${keptTokens}`,
    action: seeDevices,
    remark:
      'Si no fuiste tú, otra persona conoce tu contraseña anterior y tiene una sesión iniciada en tu cuenta: contacta con el operador de este servicio.',
  },
  passwordRemoved: {
    subject: 'Se quitó la contraseña de tu cuenta',
    body: 'El {at} se quitó la contraseña de tu cuenta en una sesión que comenzó con {provider}. Se cerró la sesión en todos los demás dispositivos y clientes. A partir de ahora inicias sesión con {provider}.',
    action: seeWays,
    remark: secureProvider,
  },
  passwordSetByOperator: {
    subject: 'El operador de este servicio estableció una nueva contraseña para tu cuenta',
    body: 'El {at}, el operador de este servicio estableció una nueva contraseña para tu cuenta, y se cerró la sesión en todos los dispositivos y clientes. El operador te comunicará la contraseña por un medio distinto del correo.\n\nInicia sesión con ella y cámbiala en tu cuenta: la siguiente solo la conocerás tú.',
    action: signIn,
    remark: notAsked,
  },
  secondFactorRemoved: {
    subject: 'Se quitó el segundo factor de tu cuenta',
    body: 'El {at}, el operador de este servicio quitó las claves de acceso, los códigos de un solo uso y los códigos de recuperación de tu cuenta. Ya no funciona ninguno.\n\nA partir de ahora inicias sesión sin ellos, y puedes añadir otros nuevos en tu cuenta.',
    action: 'Ver tu cuenta',
    remark: notAsked,
  },
  identityLinked: {
    subject: canSignInWith,
    body: linkedByAddress,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedWithPassword: {
    subject: canSignInWith,
    body: `${linkedByAddress}\n\nLa cuenta también tiene una contraseña. Si no la estableciste tú, inicia sesión con {provider}: se te preguntará una vez si quieres quitarla, lo que cierra la sesión en todos los demás dispositivos.`,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedInsteadOfPassword: {
    subject: canSignInWith,
    body: `${linkedByAddress}\n\nAntes de eso, la dirección de la cuenta no estaba confirmada, por lo que se quitó la contraseña de la cuenta y terminaron todas las sesiones que habían comenzado con ella.`,
    action: seeWays,
    remark: secureProvider,
  },
  identityLinkedInSession: {
    subject: canSignInWith,
    body: `El {at}, ${account} se conectó a tu cuenta en una sesión iniciada en ella. A partir de ahora se puede usar para iniciar sesión en tu cuenta.`,
    action: seeWays,
    remark: disconnect,
  },
  identityUnlinked: {
    subject: 'Ya no puedes iniciar sesión con {provider}',
    body: `El {at}, ${account} se desconectó de tu cuenta en una sesión iniciada en ella. A partir de ahora inicias sesión con ${way}.\n\nTus sesiones siguen iniciadas. Si vuelves a iniciar sesión con {provider} y esta dirección, puede que se conecte de nuevo.`,
    action: seeWays,
    remark: `Si no fuiste tú, inicia sesión con ${way} y cierra sesión en todas partes en «Tus dispositivos».`,
  },
  personalTokenReported: {
    subject: 'Se notificó la filtración de tu token personal «{token}»',
    body: 'El {at} se nos notificó que tu token personal «{token}» para {organization} se había filtrado. La notificación contenía el propio token, así que se revocó de inmediato, con todos sus secretos que aún eran válidos.\n\nAverigua dónde se filtró el token y para qué se ha usado desde entonces. Si todavía necesitas uno, crea un token nuevo.',
    action: 'Ver tu cuenta',
    remark:
      'Estas notificaciones las envían programas que buscan secretos, y también puede enviarlas cualquier persona que haya encontrado un token. Este correo no repite nada de la notificación, porque no sabemos quién la envió.',
  },
  serviceTokenReported: {
    subject: 'Se notificó la filtración de un token de «{serviceAccount}»',
    body: 'El {at} se nos notificó que un token de la cuenta de servicio «{serviceAccount}» de {organization} se había filtrado. La notificación contenía el propio token, así que se revocó de inmediato, con todos sus secretos que aún eran válidos.\n\nLo que usa el token ya no tiene acceso. Averigua dónde se filtró el token y para qué se ha usado desde entonces, y crea un token nuevo para la cuenta de servicio.',
    action: 'Abrir el portal',
    remark:
      'Recibes este correo porque administras los tokens de la organización. No repite nada de la notificación, porque no sabemos quién la envió.',
  },
  sessionReported: {
    subject: 'Se cerró una sesión de tu cuenta porque su token se filtró',
    body: 'El {at} se nos notificó que un token de una de tus sesiones se había filtrado. La notificación contenía el propio token, así que la sesión se cerró de inmediato. Tus demás sesiones siguen abiertas.\n\nEl token de una sesión está en la memoria de un navegador o cliente. Si se filtró, la causa puede ser un programa del dispositivo o un registro publicado.',
    action: 'Ver tu cuenta',
    remark:
      'Si no sabes cómo se filtró el token, cierra sesión en todas partes en «Tus dispositivos». Este correo no repite nada de la notificación, porque no sabemos quién la envió.',
  },
  suspended: {
    subject: 'Se suspendió tu cuenta',
    body: 'El {at}, un administrador de este servicio suspendió tu cuenta. Se cerró la sesión en todos los dispositivos y clientes, y no se puede iniciar sesión en la cuenta hasta que se reactive.\n\nLo que pertenece a la cuenta se conserva.',
    remark: 'Si tienes alguna pregunta al respecto, contacta con el operador de este servicio.',
  },
  reinstated: {
    subject: 'Se reactivó tu cuenta',
    body: 'El {at} terminó la suspensión de tu cuenta. Puedes volver a iniciar sesión.',
    action: signIn,
    remark:
      'Las sesiones anteriores siguen terminadas: vuelve a iniciar sesión en cada dispositivo y vuelve a conectar los clientes MCP.',
  },
  organizationDeleted: {
    subject: 'Se eliminó {organization}',
    body: '{deleter} eliminó la organización {organization}. Sus miembros ya no pueden usarla, y sus invitaciones ya no son válidas.\n\nHasta el {until}, un propietario puede restaurarla tal como estaba. Después se elimina definitivamente.',
    action: 'Ver tus organizaciones',
    remark: 'Recibes este correo porque eres propietario de la organización.',
  },
  ...tokenTexts,
  accountDeleted: {
    subject: 'Se eliminó tu cuenta',
    body: 'El {at} se eliminó tu cuenta en una sesión iniciada en ella, con todo lo que guardábamos sobre ti. No se puede restaurar.\n\nEsta dirección está libre: puedes volver a crear una cuenta con ella.',
    remark:
      'Si no fuiste tú, otra persona tenía una sesión iniciada en tu cuenta: contacta con el operador de este servicio.',
  },
};
