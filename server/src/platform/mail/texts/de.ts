/** The mails in German, which says „Sie“. */
import type { MailTexts } from '../mails.ts';
import { tokenTexts } from './tokens/de.ts';

const signIn = 'Anmelden';
const seeSecurity = 'Sicherheit Ihres Kontos ansehen';
const seeWays = 'Ihre Anmeldemöglichkeiten ansehen';
const strangerHasSession =
  'Wenn Sie das nicht waren, ist eine andere Person bei Ihrem Konto angemeldet: Melden Sie sich unter „Ihre Geräte“ überall ab, und wenden Sie sich an den Betreiber dieses Dienstes.';
const inviteEnd =
  'Der Link zeigt Ihnen die Einladung. Sie treten nur bei, wenn Sie sie innerhalb der nächsten 7 Tage annehmen.';
const inviteRole =
  '{role, select, OWNER { als Inhaber} ADMIN { als Administrator} MEMBER { als Mitglied} named { mit der Rolle „{roleTitle}“} other {}}';
const inviteRemark =
  'Diese Einladung ist für {email}. Leiten Sie diese E-Mail nicht weiter: Wer den Link hat, könnte an Ihrer Stelle beitreten. Wenn Sie nicht wissen, wer Sie einlädt, ignorieren Sie diese E-Mail.';
const kept =
  'Bis vor Kurzem war es die Adresse eines Kontos, und der Link in unserer E-Mail über diese Änderung kann sie dort bis zum {until} wiederherstellen. Bis dahin kann kein anderes Konto sie verwenden.';
const account = '{hasEmail, select, yes {das Konto {email} bei {provider}} other {ein Konto bei {provider}}}';
const linkedByAddress = `Am {at} wurde ${account} mit Ihrem Konto verbunden, weil es Ihre Adresse hat und hier zur Anmeldung verwendet wurde. Ab jetzt ist damit die Anmeldung bei Ihrem Konto möglich.`;
const disconnect =
  'Wenn Sie das nicht waren, melden Sie sich mit Ihrem Passwort an, trennen Sie unter „Anmeldemöglichkeiten“ die Verbindung mit {provider}, und melden Sie sich unter „Ihre Geräte“ überall ab.';
const disconnectAndSecure = `${disconnect} Dann kann eine andere Person möglicherweise das Konto bei {provider} mit Ihrer Adresse verwenden: Sichern Sie auch dieses Konto.`;
const secureProvider =
  'Wenn Sie das nicht waren, kann eine andere Person das Konto bei {provider} mit Ihrer Adresse verwenden: Sichern Sie dieses Konto, und wenden Sie sich an den Betreiber dieses Dienstes.';
const nothingToDo =
  'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Die Antwort hat nicht verraten, dass Sie ein Konto haben.';
const way = '{way, select, password {Ihrem Passwort} other {Ihrem Passkey}}';
const changedByOwner = 'Wenn Sie die Adresse des Kontos selbst geändert haben, brauchen Sie nichts zu tun.';
const notAsked = 'Wenn Sie nicht darum gebeten haben, wenden Sie sich an den Betreiber dieses Dienstes.';
const keptTokens =
  '{tokens, plural, =0 {} one { Ihr persönliches Token gilt weiter: Ein neues Passwort beendet es nicht.} other { Ihre # persönlichen Token gelten weiter: Ein neues Passwort beendet sie nicht.}}';

export const texts: MailTexts = {
  shared: {
    greeting: 'Guten Tag {name},',
    greetingWithoutName: 'Guten Tag,',
    support: 'Hilfe:',
    openAddress: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
    identityProvider: 'dem Identitätsanbieter',
  },
  verification: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    body: 'Am {at} wurde mit dieser Adresse ein Konto angefordert. Wenn Sie das waren, bestätigen Sie, dass die Adresse Ihnen gehört. Danach können Sie sich mit dem Passwort anmelden, das Sie damals gewählt haben.',
    action: 'Meine Adresse bestätigen',
    secondAction: 'Das war ich nicht',
    remark:
      'Der erste Link funktioniert einmal und 24 Stunden lang. Der zweite löscht das angeforderte Konto: Verwenden Sie ihn, wenn das nicht Sie waren oder um mit einem anderen Passwort neu zu beginnen. Wenn Sie keinen der Links verwenden, bleibt das Konto unbenutzbar und wird eine Woche nach Ablauf des ersten Links gelöscht.',
  },
  alreadyRegistered: {
    subject: 'Sie haben bereits ein Konto',
    body: 'Am {at} wurde eine Registrierung mit dieser Adresse versucht, vermutlich von Ihnen. Die Adresse hat bereits ein Konto, und daran hat sich nichts geändert.',
    action: signIn,
    remark: nothingToDo,
  },
  alreadyRegisteredChange: {
    subject: 'Sie haben bereits ein Konto',
    body: 'Am {at} wollte eine Person, die bei einem anderen Konto angemeldet ist, diese Adresse dafür verwenden, vermutlich Sie. Die Adresse hat bereits ein Konto, und daran hat sich nichts geändert.',
    action: signIn,
    remark: nothingToDo,
  },
  addressKept: {
    subject: 'Diese Adresse ist für ein Konto reserviert',
    body: `Am {at} wurde eine Registrierung mit dieser Adresse versucht. ${kept}`,
    remark: changedByOwner,
  },
  addressKeptChange: {
    subject: 'Diese Adresse ist für ein Konto reserviert',
    body: `Am {at} wollte eine Person, die bei einem anderen Konto angemeldet ist, diese Adresse dafür verwenden. ${kept}`,
    remark: changedByOwner,
  },
  emailChangeConfirmation: {
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    body: 'Am {at} wollte eine Person, die beim Konto von {email} angemeldet ist, diese Adresse dafür verwenden. Wenn Sie das waren, öffnen Sie den Link, und bestätigen Sie die Änderung.\n\nDanach melden Sie sich mit dieser Adresse an, und die E-Mails zum Konto gehen an sie.',
    action: 'Meine neue Adresse bestätigen',
    remark:
      'Der Link funktioniert einmal, 24 Stunden lang und nur für eine Person, die bei dem Konto angemeldet ist. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Es ändert sich nichts.',
  },
  emailChangeRequested: {
    subject: 'Für Ihr Konto wurde eine neue E-Mail-Adresse angefordert',
    body: 'Am {at} wurde in einer angemeldeten Sitzung die neue Adresse {newEmail} für Ihr Konto angefordert. Bis sie bestätigt ist, ändert sich nichts; danach erhält die bisherige Adresse eine Nachricht.',
    action: 'Ihr Konto ansehen',
    remark:
      'Wenn Sie das nicht waren, ist eine andere Person bei Ihrem Konto angemeldet: Ändern Sie Ihr Passwort, und melden Sie sich überall ab. Beides macht die Anforderung ungültig.',
  },
  emailChanged: {
    subject: 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
    body: 'Am {at} wurde die Adresse Ihres Kontos von {email} in {newEmail} geändert. Wenn Sie das waren, brauchen Sie nichts zu tun.\n\nWenn Sie das nicht waren, machen Sie die Änderung mit diesem Link rückgängig. Er stellt diese Adresse wieder her sowie das Passwort und die anderen Anmeldemöglichkeiten, die das Konto 72 Stunden vor der Anforderung der Änderung hatte, entfernt die seitdem hinzugefügten und meldet alle Geräte ab.',
    action: 'Änderung rückgängig machen',
    remark:
      'Der Link funktioniert einmal und 72 Stunden lang. Leiten Sie diese E-Mail nicht weiter: Wer den Link hat, kann die Änderung rückgängig machen.',
  },
  emailChangeUndone: {
    subject: 'Die E-Mail-Adresse Ihres Kontos wurde wiederhergestellt',
    body: 'Ihr Konto hat wieder diese Adresse und die Anmeldemöglichkeiten, die es am {at} hatte: Passwort (oder das seither vom Betreiber gesetzte), Passkeys, Einmalcodes und Verbindungen zu einem Anbieter von damals und nichts, was später hinzukam. Alle Geräte und Clients wurden abgemeldet.\n\nWenn Sie die rückgängig gemachte Änderung nicht angefordert hatten, war eine andere Person bei Ihrem Konto angemeldet: Melden Sie sich an, und ändern Sie Ihr Passwort.',
    action: signIn,
    remark: 'Wenn Sie sich nicht anmelden können, wenden Sie sich an den Betreiber dieses Dienstes.',
  },
  invitation: {
    subject: 'Einladung zu „{organization}“',
    body: `{inviter} lädt Sie ein, „{organization}“${inviteRole} beizutreten.\n\n${inviteEnd}`,
    action: 'Einladung ansehen',
    remark: inviteRemark,
  },
  invitationByOperator: {
    subject: 'Einladung zu „{organization}“',
    body: `Sie sind eingeladen, „{organization}“${inviteRole} beizutreten.\n\n${inviteEnd}`,
    action: 'Einladung ansehen',
    remark: inviteRemark,
  },
  oneTimeCodesAdded: {
    subject: 'Zur Anmeldung brauchen Sie jetzt einen Einmalcode',
    body: 'Am {at} wurde Ihrem Konto in einer angemeldeten Sitzung eine Authenticator-App hinzugefügt. Nach dem Passwort brauchen Sie zur Anmeldung jetzt einen Code dieser App oder einen Wiederherstellungscode.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesReplaced: {
    subject: 'Ihre Einmalcodes kommen jetzt aus einer anderen App',
    body: 'Am {at} wurde die bisherige Authenticator-App Ihres Kontos in einer angemeldeten Sitzung durch eine andere ersetzt. Codes der bisherigen App und frühere Wiederherstellungscodes werden nicht mehr angenommen.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesRemoved: {
    subject: 'Zur Anmeldung brauchen Sie keinen Einmalcode mehr',
    body: 'Am {at} wurden die Authenticator-App und die Wiederherstellungscodes Ihres Kontos in einer angemeldeten Sitzung entfernt.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodesRenewed: {
    subject: 'Ihre Wiederherstellungscodes wurden ersetzt',
    body: 'Am {at} wurden in einer angemeldeten Sitzung neue Wiederherstellungscodes für Ihr Konto erstellt. Frühere werden nicht mehr angenommen.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodeUsed: {
    subject: 'Ein Wiederherstellungscode Ihres Kontos wurde verwendet',
    body: 'Am {at} wurde ein Wiederherstellungscode anstelle eines Einmalcodes verwendet. {left, plural, =0 {Es ist keiner übrig: Erstellen Sie neue.} one {Es ist noch einer übrig.} other {Es sind noch # übrig.}}',
    action: seeSecurity,
    remark:
      'Wenn Sie das nicht waren, hat eine andere Person Ihre Wiederherstellungscodes und Ihr Passwort: Ändern Sie das Passwort, und erstellen Sie neue Wiederherstellungscodes.',
  },
  passkeyAdded: {
    subject: 'Ihrem Konto wurde ein Passkey hinzugefügt',
    body: 'Am {at} wurde Ihrem Konto in einer angemeldeten Sitzung der Passkey „{passkey}“ hinzugefügt. Ab jetzt ist damit die Anmeldung bei Ihrem Konto möglich.',
    action: 'Ihre Passkeys ansehen',
    remark:
      'Wenn Sie das nicht waren, ist eine andere Person bei Ihrem Konto angemeldet: Melden Sie sich unter „Ihre Geräte“ überall ab, ändern Sie Ihr Passwort, und wenden Sie sich an den Betreiber dieses Dienstes, der den Passkey entfernen kann.',
  },
  passkeyRemoved: {
    subject: 'Aus Ihrem Konto wurde ein Passkey entfernt',
    body: 'Am {at} wurde der Passkey „{passkey}“ in einer angemeldeten Sitzung aus Ihrem Konto entfernt. Mit ihm ist keine Anmeldung mehr möglich. Ihre Sitzungen bleiben bestehen.',
    action: 'Ihre Passkeys ansehen',
    remark:
      'Wenn Sie das nicht waren, melden Sie sich an, ändern Sie Ihr Passwort, und melden Sie sich unter „Ihre Geräte“ überall ab.',
  },
  passwordAdded: {
    subject: 'Sie können sich jetzt mit einem Passwort anmelden',
    body: `Am {at} wurde Ihrem Konto in einer angemeldeten Sitzung ein Passwort hinzugefügt. Alle anderen Geräte und Clients wurden abgemeldet.${keptTokens}`,
    action: 'Ihre Geräte ansehen',
    remark:
      'Wenn Sie das nicht waren, ist eine andere Person bei Ihrem Konto angemeldet: Wenden Sie sich an den Betreiber dieses Dienstes.',
  },
  passwordChanged: {
    subject: 'Das Passwort Ihres Kontos wurde geändert',
    body: `Am {at} wurde das Passwort Ihres Kontos in einer angemeldeten Sitzung geändert. Alle anderen Geräte und Clients wurden abgemeldet.${keptTokens}`,
    action: 'Ihre Geräte ansehen',
    remark:
      'Wenn Sie das nicht waren, kennt eine andere Person Ihr früheres Passwort und ist bei Ihrem Konto angemeldet: Wenden Sie sich an den Betreiber dieses Dienstes.',
  },
  passwordRemoved: {
    subject: 'Das Passwort Ihres Kontos wurde entfernt',
    body: 'Am {at} wurde das Passwort Ihres Kontos in einer Sitzung entfernt, die mit {provider} begonnen hat. Alle anderen Geräte und Clients wurden abgemeldet. Ab jetzt melden Sie sich mit {provider} an.',
    action: seeWays,
    remark: secureProvider,
  },
  passwordSetByOperator: {
    subject: 'Der Betreiber dieses Dienstes hat ein neues Passwort für Ihr Konto festgelegt',
    body: 'Am {at} hat der Betreiber dieses Dienstes ein neues Passwort für Ihr Konto festgelegt, und alle Geräte und Clients wurden abgemeldet. Der Betreiber teilt Ihnen das Passwort auf anderem Weg als per E-Mail mit.\n\nMelden Sie sich damit an, und ändern Sie es in Ihrem Konto: Das nächste kennen nur Sie.',
    action: signIn,
    remark: notAsked,
  },
  secondFactorRemoved: {
    subject: 'Der zweite Faktor Ihres Kontos wurde entfernt',
    body: 'Am {at} hat der Betreiber dieses Dienstes die Passkeys, Einmalcodes und Wiederherstellungscodes Ihres Kontos entfernt. Keiner davon funktioniert mehr.\n\nAb jetzt melden Sie sich ohne sie an. In Ihrem Konto können Sie neue hinzufügen.',
    action: 'Ihr Konto ansehen',
    remark: notAsked,
  },
  identityLinked: {
    subject: 'Sie können sich jetzt mit {provider} anmelden',
    body: linkedByAddress,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedWithPassword: {
    subject: 'Sie können sich jetzt mit {provider} anmelden',
    body: `${linkedByAddress}\n\nDas Konto hat auch ein Passwort. Wenn Sie es nicht festgelegt haben, melden Sie sich mit {provider} an: Sie werden einmal gefragt, ob es entfernt werden soll. Dabei werden alle anderen Geräte abgemeldet.`,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedInsteadOfPassword: {
    subject: 'Sie können sich jetzt mit {provider} anmelden',
    body: `${linkedByAddress}\n\nZuvor war die Adresse des Kontos nicht bestätigt. Deshalb wurde das Passwort des Kontos entfernt, und alle Sitzungen, die damit begonnen hatten, wurden beendet.`,
    action: seeWays,
    remark: secureProvider,
  },
  identityLinkedInSession: {
    subject: 'Sie können sich jetzt mit {provider} anmelden',
    body: `Am {at} wurde ${account} in einer angemeldeten Sitzung mit Ihrem Konto verbunden. Ab jetzt ist damit die Anmeldung bei Ihrem Konto möglich.`,
    action: seeWays,
    remark: disconnect,
  },
  identityUnlinked: {
    subject: 'Sie können sich nicht mehr mit {provider} anmelden',
    body: `Am {at} wurde ${account} in einer angemeldeten Sitzung von Ihrem Konto getrennt. Ab jetzt melden Sie sich mit ${way} an.\n\nIhre Sitzungen bleiben bestehen. Wenn Sie sich wieder mit {provider} und dieser Adresse anmelden, wird das Konto dort möglicherweise erneut verbunden.`,
    action: seeWays,
    remark: `Wenn Sie das nicht waren, melden Sie sich mit ${way} an, und melden Sie sich unter „Ihre Geräte“ überall ab.`,
  },
  personalTokenReported: {
    subject: 'Ihr persönliches Token „{token}“ wurde als offengelegt gemeldet',
    body: 'Am {at} wurde uns Ihr persönliches Token „{token}“ für {organization} als offengelegt gemeldet. Die Meldung enthielt das Token selbst. Deshalb wurde es sofort widerrufen, mit allen noch gültigen Geheimnissen.\n\nKlären Sie, wo das Token offengelegt wurde und wofür es seitdem verwendet wurde. Wenn Sie weiterhin eines brauchen, erstellen Sie ein neues.',
    action: 'Ihr Konto ansehen',
    remark:
      'Solche Meldungen senden Programme, die nach Geheimnissen suchen, und jede Person, die ein Token gefunden hat, kann sie senden. Diese E-Mail wiederholt nichts aus der Meldung, weil wir nicht wissen, von wem sie kam.',
  },
  serviceTokenReported: {
    subject: 'Ein Token von „{serviceAccount}“ wurde als offengelegt gemeldet',
    body: 'Am {at} wurde uns ein Token des Dienstkontos „{serviceAccount}“ von {organization} als offengelegt gemeldet. Die Meldung enthielt das Token selbst. Deshalb wurde es sofort widerrufen, mit allen noch gültigen Geheimnissen.\n\nWas das Token verwendet, hat keinen Zugriff mehr. Klären Sie, wo das Token offengelegt wurde und wofür es seitdem verwendet wurde, und erstellen Sie ein neues Token für das Dienstkonto.',
    action: 'Portal öffnen',
    remark:
      'Sie erhalten diese E-Mail, weil Sie die Token der Organisation verwalten. Sie wiederholt nichts aus der Meldung, weil wir nicht wissen, von wem sie kam.',
  },
  sessionReported: {
    subject: 'Eine Sitzung Ihres Kontos wurde beendet, weil ihr Token offengelegt wurde',
    body: 'Am {at} wurde uns ein Token einer Ihrer Sitzungen als offengelegt gemeldet. Die Meldung enthielt das Token selbst. Deshalb wurde die Sitzung sofort beendet. Ihre anderen Sitzungen bleiben angemeldet.\n\nEin Token einer Sitzung liegt im Speicher eines Browsers oder Clients. Wurde es offengelegt, kann ein Programm auf dem Gerät oder ein veröffentlichtes Protokoll der Grund sein.',
    action: 'Ihr Konto ansehen',
    remark:
      'Wenn Sie nicht wissen, wie das Token offengelegt wurde, melden Sie sich unter „Ihre Geräte“ überall ab. Diese E-Mail wiederholt nichts aus der Meldung, weil wir nicht wissen, von wem sie kam.',
  },
  suspended: {
    subject: 'Ihr Konto wurde gesperrt',
    body: 'Am {at} hat ein Administrator dieses Dienstes Ihr Konto gesperrt. Alle Geräte und Clients wurden abgemeldet, und eine Anmeldung ist nicht möglich, bis die Sperre aufgehoben wird.\n\nWas zum Konto gehört, bleibt erhalten.',
    remark: 'Wenn Sie eine Frage dazu haben, wenden Sie sich an den Betreiber dieses Dienstes.',
  },
  reinstated: {
    subject: 'Die Sperre Ihres Kontos wurde aufgehoben',
    body: 'Am {at} endete die Sperre Ihres Kontos. Sie können sich wieder anmelden.',
    action: signIn,
    remark:
      'Frühere Sitzungen bleiben beendet: Melden Sie sich auf jedem Gerät neu an, und verbinden Sie MCP-Clients erneut.',
  },
  organizationDeleted: {
    subject: '{organization} wurde gelöscht',
    body: '{deleter} hat die Organisation {organization} gelöscht. Ihre Mitglieder können sie nicht mehr verwenden, und ihre Einladungen gelten nicht mehr.\n\nBis zum {until} kann ein Inhaber sie unverändert wiederherstellen. Danach ist sie endgültig gelöscht.',
    action: 'Ihre Organisationen ansehen',
    remark: 'Sie erhalten diese E-Mail, weil Sie Inhaber der Organisation sind.',
  },
  ...tokenTexts,
  accountDeleted: {
    subject: 'Ihr Konto wurde gelöscht',
    body: 'Am {at} wurde Ihr Konto in einer angemeldeten Sitzung gelöscht, mit allem, was wir über Sie gespeichert hatten. Es kann nicht wiederhergestellt werden.\n\nDiese Adresse ist frei: Sie können damit wieder ein Konto erstellen.',
    remark:
      'Wenn Sie das nicht waren, war eine andere Person bei Ihrem Konto angemeldet: Wenden Sie sich an den Betreiber dieses Dienstes.',
  },
};
