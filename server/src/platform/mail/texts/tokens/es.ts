/** The mails about tokens in Spanish. */
import type { TokenMailTexts } from '../../mails.ts';

const from = '{hasAddress, select, yes { desde la dirección {address}} other {}}';
const seeOwn = 'Ver tus tokens personales';
const seeManaged = 'Ver los tokens de la organización';
const strangerHasSession =
  'Si no fuiste tú, otra persona tiene una sesión iniciada en tu cuenta: revoca el token, cierra sesión en todas partes en «Tus dispositivos» y cambia tu contraseña.';
const youManage = 'Recibes este correo porque gestionas los tokens de «{organization}».';
const ifUnexpected = `Si no lo esperabas, pregunta a esa persona y, en caso de duda, revoca el token. ${youManage}`;
const within = '{days, plural, one {# día} other {# días}}';
const expires =
  'caduca el {until}. A partir de entonces se rechaza toda solicitud hecha con él.\n\nSi todavía hace falta, dale antes un secreto nuevo: el actual sigue siendo válido durante el tiempo que elijas.';

export const tokenTexts: TokenMailTexts = {
  personalTokenCreated: {
    subject: 'Se creó el token personal «{token}»',
    body: `El {at} se creó el token personal «{token}» para «{organization}» en una sesión iniciada en tu cuenta${from}.\n\n{isPending, select, yes {No se puede usar hasta que lo apruebe una persona que gestione allí los tokens.} other {Un programa que lo tenga actúa en tu lugar, dentro de sus permisos, hasta que caduque o se revoque.}}`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenRotated: {
    subject: 'El token personal «{token}» tiene un secreto nuevo',
    body: `El {at}, el token personal «{token}» para «{organization}» recibió un secreto nuevo en una sesión iniciada en tu cuenta${from}. El anterior solo es válido durante el tiempo de transición elegido.`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenApproved: {
    subject: 'Se aprobó el token personal «{token}»',
    body: 'El {at}, una persona que gestiona los tokens de «{organization}» aprobó tu token personal «{token}». Se puede usar a partir de ahora.',
    action: seeOwn,
    remark: 'Si no creaste este token, revócalo y cierra sesión en todas partes en «Tus dispositivos».',
  },
  personalTokenRefused: {
    subject: 'Se rechazó el token personal «{token}»',
    body: 'El {at}, una persona que gestiona los tokens de «{organization}» rechazó tu token personal «{token}». Ha terminado definitivamente.',
    action: seeOwn,
    remark: 'Si tienes alguna pregunta, consulta a quienes gestionan los tokens de «{organization}».',
  },
  personalTokenWaiting: {
    subject: 'Un token personal espera aprobación en «{organization}»',
    body: 'El {at}, {person} creó el token personal «{token}» para «{organization}». No se puede usar hasta que lo apruebes tú u otra persona que gestione los tokens.',
    action: 'Decidir sobre el token',
    remark: youManage,
  },
  serviceTokenCreated: {
    subject: 'Se creó un token de la cuenta de servicio «{account}»',
    body: `El {at}, {person} creó un token de la cuenta de servicio «{account}» en «{organization}»${from}.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceTokenRotated: {
    subject: 'Un token de la cuenta de servicio «{account}» tiene un secreto nuevo',
    body: `El {at}, {person} dio un secreto nuevo a un token de la cuenta de servicio «{account}» en «{organization}»${from}. El anterior solo es válido durante el tiempo de transición elegido.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceAccountScopesAdded: {
    subject: 'La cuenta de servicio «{account}» tiene más permisos',
    body: 'El {at}, {person} dio más permisos a la cuenta de servicio «{account}» en «{organization}»: {scopes}. Sus tokens los tienen a partir de ahora.',
    action: seeManaged,
    remark: `Si no lo esperabas, pregunta a esa persona y, en caso de duda, retira los permisos. ${youManage}`,
  },
  tokenPolicyChanged: {
    subject: 'Se cambió la política de tokens de «{organization}»',
    body: 'El {at}, {person} cambió la política de «{organization}» para los tokens. Los tokens que la política rechaza quedan bloqueados y vuelven a funcionar cuando los permite.',
    action: 'Ver la política',
    remark: `Si no lo esperabas, pregunta a esa persona. ${youManage}`,
  },
  serviceTokenHolderLeft: {
    subject:
      '{count, plural, one {Renueva los tokens de una cuenta de servicio} other {Renueva los tokens de # cuentas de servicio}}: una persona que los ha visto dejó «{organization}»',
    body: 'El {at}, {person} dejó «{organization}». Esta persona ha visto {count, plural, one {el secreto de un token de esta cuenta de servicio} other {los secretos de tokens de estas cuentas de servicio}}: {accounts}.\n\nLos tokens siguen siendo válidos. Dales secretos nuevos para que solo los conozcan quienes siguen en la organización.',
    action: seeManaged,
    remark: youManage,
  },
  personalTokenExpires: {
    subject: `Tu token personal «{token}» caduca en ${within} como máximo`,
    body: `Tu token personal «{token}» para «{organization}» ${expires}`,
    action: seeOwn,
    remark: 'Si ya no hace falta, no tienes que hacer nada.',
  },
  serviceTokenExpires: {
    subject: `Un token de la cuenta de servicio «{account}» caduca en ${within} como máximo`,
    body: `Un token de la cuenta de servicio «{account}» en «{organization}» ${expires}`,
    action: seeManaged,
    remark: `Si ya no hace falta, no tienes que hacer nada. ${youManage}`,
  },
};
