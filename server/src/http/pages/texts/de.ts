/** The pages in German, which says „Sie“. */
import type { PageTexts } from '../page-texts.ts';

const signedInAs = 'Sie sind angemeldet als';
const startAgain = 'Gehen Sie zurück zu Ihrem Client, und beginnen Sie die Verbindung erneut.';
const notUnderstood = 'Diese Anfrage ist nicht verständlich';

export const texts: PageTexts = {
  consent: {
    title: 'Zugriff erlauben?',
    heading: 'Darf {client} für Sie handeln?',
    unverified:
      'Den Namen hat der Client bei seiner Registrierung selbst gewählt; er ist nicht geprüft. Erlauben Sie den Zugriff nur, wenn Sie die Verbindung gerade selbst begonnen haben.',
    document:
      'Ein Dokument bei {host} beschreibt diesen Client und gibt ihm diesen Namen. Erlauben Sie den Zugriff nur, wenn Sie die Verbindung gerade selbst begonnen haben.',
    documentOfLoopback:
      'Ihre Antwort geht an ein Programm auf diesem Computer, und jedes Programm hier kann das Dokument von {host} als seines ausgeben. Fahren Sie nur fort, wenn Sie die Verbindung gerade selbst begonnen haben, in einem Programm, dem Sie vertrauen.',
    signedInAs,
    otherAccount:
      'Das sind nicht Sie? <signOut>Melden Sie sich im Portal ab</signOut>, und verbinden Sie dann Ihren Client erneut.',
    target: 'Ihre Antwort geht an',
    localApp: 'Eine App auf diesem Computer',
    scopes: 'Damit kann der Client',
    changes: 'Ändert etwas',
    idle: 'Diese Berechtigungen bewirken hier nichts: Sie gelten nur im Portal',
    narrowed: 'Der Client hat auch Berechtigungen angefordert, die Sie nicht haben. Er erhält sie nicht.',
    time: 'Wie lange',
    lifetime:
      'Höchstens {time}. Sie können den Zugriff jederzeit im Portal unter <devices>Ihren Geräten</devices> beenden, ebenso jeder Super-Admin, der Sitzungen beenden darf.',
    refuse: 'Ablehnen',
    allow: 'Erlauben',
  },
  scopes: {
    'sessions:revoke': 'Jede Person abmelden, auf einem Gerät oder überall',
    'users:suspend': 'Personen sperren, sodass sie sich nicht anmelden können, und die Sperre aufheben',
    'invitations:manage': 'Einladungen erneut senden und zurückziehen',
    'mcp:whoami': 'Sehen, wer Sie sind und was Sie hier dürfen',
    'sessions:view': 'Sehen, wer angemeldet ist, seit wann und von wo',
    'users:view': 'Personen finden und ihre Namen, E-Mail-Adressen und Organisationen sehen',
    'organizations:view': 'Jede Organisation mit Tarif, Mitgliedern und offenen Einladungen sehen',
    'mcp:access:view': 'Sehen, welche MCP-Clients registriert sind und wann sie zuletzt benutzt wurden',
  },
  organization: {
    heading: 'Darf {client} in {organization} für Sie handeln?',
    organization: 'Organisation',
    choose: 'Eine andere wählen',
    organizationOnly:
      'Der Client erhält nur Zugriff auf diese Organisation. Für eine andere braucht es eine weitere Verbindung.',
    resource: 'Zugriff auf',
    missing: 'Diese Berechtigungen fordert er auch an, erhält sie aber nicht',
    missingRole: 'Ihre Rolle hier, {role}, enthält dies nicht.',
    missingPlan: 'Der Tarif der Organisation enthält dies nicht.',
    missingPayment: 'Das Abonnement der Organisation ist nicht aktiv und gewährt deshalb nichts.',
    lifetime:
      'Höchstens {time}. Sie können den Zugriff jederzeit im Portal unter <clients>Ihren verbundenen Clients</clients> beenden. Er endet, wenn Sie die Organisation verlassen; auch Administratoren der Organisation können ihn beenden.',
    notAccepted:
      '{organization} lässt diesen Client nicht zu. Inhaber und Administratoren können das im Portal bei den MCP-Clients der Organisation ändern.',
    nothingHeld: 'Sie haben in {organization} keine der Berechtigungen, die dieser Client anfordert.',
    secondFactor:
      '{organization} verlangt einen zweiten Faktor, und in dieser Sitzung haben Sie keinen benutzt. <confirm>Bestätigen Sie mit einem</confirm>, oder wählen Sie eine andere Organisation.',
    accountHeading: 'Mit diesem Konto können Sie {client} nicht verbinden',
    accountLead:
      'Dieser Client fordert Zugriff auf eine Organisation an, und das hier angemeldete Konto gehört zu keiner.',
  },
  organizationScopes: {
    MEMBERS_VIEW: 'Sehen, wer zur Organisation gehört',
    MEMBERS_INVITE: 'Personen einladen',
    MEMBERS_UPDATE: 'Rollen ändern',
    MEMBERS_REMOVE: 'Personen entfernen',
    ORGANIZATION_UPDATE: 'Organisation umbenennen',
    BILLING_MANAGE: 'Bezahlen und die Abrechnung verwalten',
    TOKENS_MANAGE: 'Token und Dienstkonten verwalten',
    MCP_MANAGE: 'Verbundene MCP-Clients verwalten',
    AUDIT_VIEW: 'Das Protokoll der Organisation sehen',
  },
  account: {
    title: 'Ein anderes Konto ist nötig',
    heading: 'Nur ein Super-Admin kann {client} verbinden',
    lead: 'Plattform-MCP wirkt auf den ganzen Dienst. Das hier angemeldete Konto gehört keinem Super-Admin.',
    signedInAs,
    effect:
      'Wenn Sie ein anderes Konto verwenden, werden Sie zuerst in diesem Browser vom Portal abgemeldet. Wenn Sie abbrechen, wird dem Client der Zugriff verweigert.',
    cancel: 'Abbrechen',
    other: 'Anderes Konto verwenden',
  },
  link: {
    title: 'Mit diesem Konto verbinden?',
    lead: 'Dieser Browser ist nicht mit der Sitzung angemeldet, die um die Verbindung gebeten hat. Verbinden Sie die beiden Konten nur, wenn beide Ihnen gehören und Sie selbst darum gebeten haben.',
    identity: 'Ihr Konto bei {provider}',
    noName: 'Ein Konto ohne Namen',
    account: 'Das Konto hier',
    otherAddress:
      'Es hat eine andere Adresse als Ihr Konto bei {provider}. Wenn es nicht Ihnen gehört, wählen Sie „Nicht verbinden“.',
    effect: 'Wenn Sie die Konten verbinden',
    effectText: 'Eine Anmeldung mit {provider} öffnet dann immer das oben genannte Konto.',
    refuse: 'Nicht verbinden',
    connect: 'Verbinden',
  },
  failed: {
    title: 'Etwas ist schiefgegangen',
    message: 'Der Fehler liegt bei uns.',
    advice: 'Wenn er wieder auftritt, senden Sie diese Kennung an den Betreiber dieses Dienstes: {id}',
  },
  limited: {
    title: 'Zu viele Anfragen',
    message: 'Aus Ihrem Netz kamen innerhalb der letzten Stunde zu viele Zugriffsanfragen.',
    advice: 'Wartezeit: {wait}. Gehen Sie danach zurück zu Ihrem Client, und beginnen Sie die Verbindung erneut.',
  },
  unavailable: {
    title: 'Zurzeit nicht verfügbar',
    message: 'Der Dienst kann im Moment nicht antworten. Bitte versuchen Sie es gleich noch einmal.',
    advice: startAgain,
  },
  misread: {
    title: notUnderstood,
    message: 'Die Anfrage kam nicht von dieser Seite.',
    advice: startAgain,
  },
  malformed: {
    title: notUnderstood,
    message: 'Die Anfrage des Clients hat nicht die nötige Form.',
    advice: 'Der Entwickler des Clients muss das beheben; Sie können es hier nicht ändern.',
  },
  answered: {
    title: 'Diese Anfrage ist schon beantwortet',
    message:
      'Sie haben diese Anfrage schon beantwortet. Jede Anfrage wird nur einmal beantwortet, und der Client hat Ihre Antwort.',
    advice: 'Gehen Sie zurück zu Ihrem Client. Wenn er nicht verbunden ist, beginnen Sie die Verbindung dort erneut.',
  },
  clientUnknown: {
    title: 'Dieser Client ist hier nicht registriert',
    message: 'Unter der Kennung, die er gesendet hat, ist kein Client registriert.',
    advice:
      'Entfernen Sie diesen Server aus Ihrem Client, und fügen Sie ihn erneut hinzu, damit der Client sich neu registriert.',
  },
  clientRevoked: {
    title: 'Dieser Client darf sich nicht mehr verbinden',
    message: 'Die Registrierung dieses Clients wurde widerrufen.',
    advice:
      'Entfernen Sie diesen Server aus Ihrem Client, und fügen Sie ihn erneut hinzu, oder fragen Sie einen Super-Admin nach dem Grund.',
  },
  clientDocument: {
    title: 'Dieser Client lässt sich nicht erkennen',
    message: 'Das Dokument, in dem sich dieser Client beschreibt, ist nicht verwendbar.',
    advice:
      'Warten Sie eine Minute, und verbinden Sie sich erneut. Wenn diese Seite wieder erscheint, teilen Sie dem Entwickler des Clients mit, was unten steht. Ein Super-Admin findet mehr unter den Verbindungen im Portal.',
  },
  redirectUri: {
    title: 'Diesem Client kann nicht geantwortet werden',
    message:
      'Diesen Umleitungs-URI hat der Client nicht registriert, oder er darf ihn hier nicht verwenden. Nur der Port einer Loopback-Adresse darf abweichen.',
    advice:
      'Für seinen Entwickler: Registrieren Sie genau diesen Umleitungs-URI. Wenn er keine Loopback-Adresse ist, muss er auch in MCP_REDIRECT_ALLOW_LIST dieses Dienstes stehen.',
  },
  expired: {
    title: 'Diese Anfrage ist beendet',
    message: 'Es gibt diese Anfrage nicht, oder sie ist nach zehn Minuten abgelaufen.',
    advice: startAgain,
  },
  otherBrowser: {
    title: 'Diese Anfrage gehört zu einem anderen Browser',
    message: 'Diese Anfrage begann in einem anderen Browser, oder dieser Browser hat das Cookie dafür nicht behalten.',
    advice:
      'Beantworten Sie sie in dem Browser, den Ihr Client geöffnet hat, mit eingeschalteten Cookies, oder beginnen Sie die Verbindung von hier aus erneut.',
  },
  otherPage: {
    title: 'Ihre Antwort zählte nicht',
    message:
      'Diese Antwort kam nicht von der Seite dieses Dienstes, oder seit die Seite angezeigt wurde, hat sich hier eine andere Person angemeldet.',
    advice: 'Es wurde nichts entschieden. Öffnen Sie diese Seite erneut, um die Anfrage zu sehen.',
  },
};
