/** The mails about tokens in German. */
import type { TokenMailTexts } from '../../mails.ts';

const from = '{hasAddress, select, yes { von der Adresse {address} aus} other {}}';
const seeOwn = 'Ihre persönlichen Token ansehen';
const seeManaged = 'Token der Organisation ansehen';
const strangerHasSession =
  'Wenn Sie das nicht waren, ist eine andere Person bei Ihrem Konto angemeldet: Widerrufen Sie das Token, melden Sie sich unter „Ihre Geräte“ überall ab, und ändern Sie Ihr Passwort.';
const youManage = 'Sie erhalten diese E-Mail, weil Sie die Token von „{organization}“ verwalten.';
const ifUnexpected = `Wenn Sie das nicht erwartet haben, fragen Sie diese Person, und widerrufen Sie das Token im Zweifel. ${youManage}`;
const within = '{days, plural, one {einem Tag} other {# Tagen}}';
const expires =
  'läuft am {until} ab. Ab dann wird jede Anfrage damit abgelehnt.\n\nWenn es noch gebraucht wird, geben Sie ihm vorher ein neues Geheimnis: Das jetzige gilt noch so lange, wie Sie es wählen.';

export const tokenTexts: TokenMailTexts = {
  personalTokenCreated: {
    subject: 'Das persönliche Token „{token}“ wurde erstellt',
    body: `Am {at} wurde das persönliche Token „{token}“ für „{organization}“${from} in einer Sitzung erstellt, die bei Ihrem Konto angemeldet war.\n\n{isPending, select, yes {Es kann erst verwendet werden, wenn eine Person, die dort Token verwaltet, es genehmigt.} other {Ein Programm, das es hat, handelt im Rahmen seiner Berechtigungen an Ihrer Stelle, bis es abläuft oder widerrufen wird.}}`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenRotated: {
    subject: 'Das persönliche Token „{token}“ hat ein neues Geheimnis',
    body: `Am {at} erhielt das persönliche Token „{token}“ für „{organization}“${from} in einer Sitzung, die bei Ihrem Konto angemeldet war, ein neues Geheimnis. Das frühere gilt nur noch für die gewählte Übergangszeit.`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenApproved: {
    subject: 'Das persönliche Token „{token}“ wurde genehmigt',
    body: 'Am {at} hat eine Person, die in „{organization}“ Token verwaltet, Ihr persönliches Token „{token}“ genehmigt. Es kann ab jetzt verwendet werden.',
    action: seeOwn,
    remark:
      'Wenn Sie dieses Token nicht erstellt haben, widerrufen Sie es, und melden Sie sich unter „Ihre Geräte“ überall ab.',
  },
  personalTokenRefused: {
    subject: 'Das persönliche Token „{token}“ wurde abgelehnt',
    body: 'Am {at} hat eine Person, die in „{organization}“ Token verwaltet, Ihr persönliches Token „{token}“ abgelehnt. Es ist endgültig beendet.',
    action: seeOwn,
    remark: 'Wenn Sie Fragen dazu haben, wenden Sie sich an die Personen, die in „{organization}“ Token verwalten.',
  },
  personalTokenWaiting: {
    subject: 'Ein persönliches Token wartet in „{organization}“ auf Genehmigung',
    body: 'Am {at} hat {person} das persönliche Token „{token}“ für „{organization}“ erstellt. Es kann erst verwendet werden, wenn Sie oder eine andere Person, die Token verwaltet, es genehmigen.',
    action: 'Über das Token entscheiden',
    remark: youManage,
  },
  serviceTokenCreated: {
    subject: 'Ein Token des Dienstkontos „{account}“ wurde erstellt',
    body: `Am {at} hat {person} in „{organization}“${from} ein Token des Dienstkontos „{account}“ erstellt.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceTokenRotated: {
    subject: 'Ein Token des Dienstkontos „{account}“ hat ein neues Geheimnis',
    body: `Am {at} hat {person}${from} einem Token des Dienstkontos „{account}“ in „{organization}“ ein neues Geheimnis gegeben. Das frühere gilt nur noch für die gewählte Übergangszeit.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceAccountScopesAdded: {
    subject: 'Das Dienstkonto „{account}“ darf mehr',
    body: 'Am {at} hat {person} dem Dienstkonto „{account}“ in „{organization}“ weitere Berechtigungen gegeben: {scopes}. Seine Token haben sie ab jetzt.',
    action: seeManaged,
    remark: `Wenn Sie das nicht erwartet haben, fragen Sie diese Person, und nehmen Sie die Berechtigungen im Zweifel zurück. ${youManage}`,
  },
  tokenPolicyChanged: {
    subject: 'Die Richtlinie für Token in „{organization}“ wurde geändert',
    body: 'Am {at} hat {person} die Richtlinie von „{organization}“ für Token geändert. Token, die die Richtlinie ablehnt, sind gesperrt und funktionieren wieder, sobald sie sie zulässt.',
    action: 'Richtlinie ansehen',
    remark: `Wenn Sie das nicht erwartet haben, fragen Sie diese Person. ${youManage}`,
  },
  serviceTokenHolderLeft: {
    subject:
      '{count, plural, one {Erneuern Sie die Token eines Dienstkontos} other {Erneuern Sie die Token von # Dienstkonten}}: Eine Person, die sie gesehen hat, hat „{organization}“ verlassen',
    body: 'Am {at} hat {person} „{organization}“ verlassen. Diese Person hat {count, plural, one {das Geheimnis eines Tokens dieses Dienstkontos} other {die Geheimnisse von Token dieser Dienstkonten}} gesehen: {accounts}.\n\nDie Token gelten weiter. Geben Sie ihnen neue Geheimnisse, damit nur noch die Personen sie kennen, die geblieben sind.',
    action: seeManaged,
    remark: youManage,
  },
  personalTokenExpires: {
    subject: `Ihr persönliches Token „{token}“ läuft in höchstens ${within} ab`,
    body: `Ihr persönliches Token „{token}“ für „{organization}“ ${expires}`,
    action: seeOwn,
    remark: 'Wenn es nicht mehr gebraucht wird, müssen Sie nichts tun.',
  },
  serviceTokenExpires: {
    subject: `Ein Token des Dienstkontos „{account}“ läuft in höchstens ${within} ab`,
    body: `Ein Token des Dienstkontos „{account}“ in „{organization}“ ${expires}`,
    action: seeManaged,
    remark: `Wenn es nicht mehr gebraucht wird, müssen Sie nichts tun. ${youManage}`,
  },
};
