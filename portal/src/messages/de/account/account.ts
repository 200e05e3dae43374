/** The messages of ../../en/account/account.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/account.ts';

export const home: Translated<typeof english.home> = {
  title: 'Ihr Konto',
  greeting: 'Hallo, {name}',
  profile: 'Ihr Profil',
  verified: 'Bestätigt',
  verifiedSince: 'Bestätigt am {date}',
  notVerified: 'Nicht bestätigt',
  superAdmin: 'Super-Admin',
  organization: 'Organisation',
  noOrganization: 'Keine ist aktiv',
  role: 'Rolle',
  scopes: '{count, plural, =0 {Keine Berechtigungen} one {# Berechtigung} other {# Berechtigungen}}',
};

export const accountPages: Translated<typeof english.accountPages> = {
  navigation: 'Konto',
  account: 'Konto',
  security: 'Sicherheit',
  tokens: 'Persönliche Token',
  clients: 'Verbundene Clients',
  data: 'Ihre Daten',
  title: 'Konto',
  goOnTitle: 'Ihre Sitzung hat jetzt einen zweiten Faktor',
  goOn: 'Begonnenes fortsetzen',
  securityTitle: 'Sicherheit',
  dataTitle: 'Ihre Daten',
  session: 'Diese Sitzung',
  sessionLead: 'Vor manchen Änderungen müssen Sie bestätigen, dass Sie es sind.',
  provedAt: 'Zuletzt bestätigt am {date}',
  provedAtUnknown: 'In dieser Sitzung noch nicht bestätigt',
  withSecondFactor: 'Mit einem Passkey oder einem zweiten Faktor.',
  withoutSecondFactor: 'Ohne Passkey und ohne zweiten Faktor.',
};

export const ownData: Translated<typeof english.ownData> = {
  exportTitle: 'Eine Kopie Ihrer Daten',
  exportLead:
    'Alles, was hier über Sie gespeichert ist, als JSON-Datei: Ihr Konto, Ihre Organisationen, Ihre Sitzungen und deren Adressen.',
  export: 'Herunterladen',
  exported: 'Die Datei wird gerade heruntergeladen.',
  deleteTitle: 'Konto löschen',
  deleteLead: 'Das lässt sich nicht rückgängig machen.',
  deleteText:
    'Alle Geräte werden abgemeldet, und Sie verlassen Ihre Organisationen. Organisationen ohne weiteres Mitglied werden mit ihrem gesamten Inhalt gelöscht.',
  deleteTextWithTokens:
    'Alle Geräte werden abgemeldet, Ihre persönlichen Token enden, und Sie verlassen Ihre Organisationen. Organisationen ohne weiteres Mitglied werden mit ihrem gesamten Inhalt gelöscht.',
  open: 'Konto löschen',
  typeEmail: 'Geben Sie zur Bestätigung {email} ein',
  emailMissing: 'Geben Sie Ihre E-Mail-Adresse ein.',
  submit: 'Mein Konto löschen',
  LAST_OWNER:
    'Sie sind der einzige Inhaber einer Organisation, die weitere Mitglieder hat. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  SUBSCRIPTION_ACTIVE:
    'Eine Organisation, der nur Sie angehören, hat einen laufenden Tarif. Beenden Sie ihn zuerst unter „Tarif“.',
  FORBIDDEN: 'Dieses Konto kann hier nicht gelöscht werden. Wenden Sie sich an den Betreiber dieses Dienstes.',
};

export const ownAccount: Translated<typeof english.ownAccount> = {
  title: 'Name und Passwort',
  name: 'Name',
  changeName: 'Namen ändern',
  save: 'Speichern',
  password: 'Passwort',
  changePassword: 'Passwort ändern',
  setPassword: 'Passwort festlegen',
  noPassword: 'Keines',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  othersSignedOut: 'Alle anderen Geräte und Clients werden abgemeldet.',
  othersSignedOutNotTokens: 'Alle anderen Geräte und Clients werden abgemeldet. Ihre persönlichen Token gelten weiter.',
  savePassword: 'Passwort ändern',
  passwordChanged: 'Ihr Passwort ist geändert. Alle anderen Geräte und Clients sind abgemeldet.',
  passwordChangedNotTokens:
    'Ihr Passwort ist geändert. Alle anderen Geräte und Clients sind abgemeldet; Ihre persönlichen Token gelten weiter.',
  wrongPassword: 'Das ist nicht Ihr aktuelles Passwort.',
};

export const emailSection: Translated<typeof english.emailSection> = {
  title: 'Ihre E-Mail-Adresse',
  change: 'E-Mail-Adresse ändern',
  newEmail: 'Neue E-Mail-Adresse',
  hint: 'Wir senden einen Link dorthin. Ihre Adresse ändert sich, wenn Sie den Link öffnen und bestätigen.',
  missing: 'Geben Sie Ihre neue E-Mail-Adresse ein.',
  submit: 'Link senden',
  requested:
    'Wenn {email} verwendet werden kann, ist eine Nachricht mit einem Link dorthin unterwegs. Öffnen Sie den Link innerhalb von 24 Stunden, während Sie hier angemeldet sind. Bis dahin bleibt Ihre Adresse, wie sie ist. Wir senden höchstens eine solche Nachricht pro Stunde: Wenn Sie diese Adresse schon angefordert haben, verwenden Sie den Link, den Sie haben.',
  pending:
    'Ihre Adresse wurde in den letzten 72 Stunden geändert. Bis diese Zeit um ist, kann sie nicht erneut geändert werden.',
};

export const signInMethods: Translated<typeof english.signInMethods> = {
  title: 'Anmeldemöglichkeiten',
  lead: 'Mit jeder davon melden Sie sich bei diesem Konto an.',
  password: 'Passwort',
  passwordSet: 'Festgelegt',
  passwordNotSet: 'Nicht festgelegt',
  notConnected: 'Nicht verbunden',
  connectedAs: 'Verbunden als {email} seit dem {date}',
  connectedSince: 'Verbunden seit dem {date}',
  connect: 'Verbinden',
  connectProvider: '{provider} verbinden',
  disconnect: 'Trennen',
  disconnectProvider: '{provider} trennen',
  onlyMethod: 'Diese Verbindung lässt sich nicht trennen: Sie ist die einzige Anmeldemöglichkeit dieses Kontos.',
  connected: '{provider} ist verbunden. Sie können sich ab jetzt damit anmelden.',
  disconnected: '{provider} ist getrennt. Eine Anmeldung damit ist nicht mehr möglich.',
  confirm: {
    title: '{provider} trennen?',
    text: 'Sie melden sich dann auf andere Weise an. Angemeldete Geräte bleiben angemeldet.',
    submit: 'Trennen',
  },
};

export const devices: Translated<typeof english.devices> = {
  title: 'Ihre Geräte',
  lead: 'Überall, wo Ihr Konto angemeldet ist.',
  unsure: 'Sehen Sie ein Gerät, das Sie nicht kennen?',
  thisDevice: 'Dieses Gerät',
  apiClient: 'API-Client',
  mcpClient: 'MCP-Client',
  addressUnknown: 'Unbekannte Adresse',
  signedIn: 'Angemeldet am {date}',
  lastSeen: 'Zuletzt aktiv {when}',
  neverSeen: 'Seitdem nicht benutzt',
  inUse: 'Wird gerade benutzt',
  justNow: 'gerade eben',
  signOut: 'Abmelden',
  signOutThis: 'Dieses Gerät abmelden',
  signOutOther: '{device} abmelden',
  everywhere: 'Überall abmelden',
  ended: '{device} ist abgemeldet.',
  names: {
    browserOnSystem: '{browser} unter {system}',
    unknown: 'Unbekanntes Gerät',
  },
  confirmOne: {
    title: '{device} abmelden?',
    text: 'Das Gerät verliert sofort den Zugriff und muss sich neu anmelden.',
    submit: 'Gerät abmelden',
  },
  confirmEverywhere: {
    title: 'Überall abmelden?',
    text: 'Alle Geräte verlieren sofort den Zugriff, auch dieses und die API-Clients. Sie müssen sich danach neu anmelden.',
    textWithTokens:
      'Alle Geräte verlieren sofort den Zugriff, auch dieses, die API-Clients und Ihre persönlichen Token. Sie müssen sich danach neu anmelden und neue Token erstellen, wo Sie welche brauchen.',
    submit: 'Überall abmelden',
  },
};
