/** The messages of ../../en/shared/tokens.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/tokens.ts';

export const tokens: Translated<typeof english.tokens> = {
  statuses: {
    ACTIVE: 'Aktiv',
    PENDING: 'Wartet auf Genehmigung',
    BLOCKED: 'Durch die Richtlinie gesperrt',
    EXPIRED: 'Abgelaufen',
    REVOKED: 'Widerrufen',
  },
  why: {
    PENDING: 'Es funktioniert, sobald es jemand genehmigt, der die Token von {organization} verwaltet.',
    BLOCKED:
      'Die Richtlinie von {organization} sperrt es zurzeit. Es funktioniert wieder, wenn die Richtlinie es zulässt.',
  },
  organization: 'Organisation',
  scopes: 'Darf',
  lastCharacters: 'Geheimnis',
  endsIn: 'endet auf <code>{characters}</code>',
  expires: 'Läuft ab',
  expired: 'Abgelaufen',
  revoked: 'Widerrufen',
  lastUsed: 'Zuletzt benutzt',
  usedFrom: '{when}, von {address}',
  neverUsed: 'Nie',
  previousSecret: 'Das vorige Geheimnis gilt noch bis {date}.',
  rotate: 'Erneuern',
  rotateOne: '{name} erneuern, endet auf {characters}',
  revoke: 'Widerrufen',
  revokeOne: '{name} widerrufen, endet auf {characters}',
  wasRevoked: '{name} ist widerrufen und funktioniert nicht mehr.',
  rotation: {
    title: '{name} erneuern?',
    text: 'Sie erhalten ein neues Geheimnis. Es wird einmal angezeigt und gilt wieder so lange wie das jetzige.',
    overlap: 'Das jetzige Geheimnis gilt weiter',
    seconds0: 'Gar nicht: Es endet sofort',
    seconds3600: '1 Stunde lang',
    seconds86400: '1 Tag lang',
    seconds604800: '7 Tage lang',
    submit: 'Token erneuern',
  },
  revocation: {
    title: '{name} widerrufen?',
    text: 'Was das Token benutzt, verliert sofort den Zugriff, auch mit einem vorigen Geheimnis. Das lässt sich nicht rückgängig machen.',
    submit: 'Token widerrufen',
  },
  secret: {
    title: 'Kopieren Sie jetzt das Geheimnis von {name}',
    text: 'Es wird nur dieses eine Mal angezeigt. Bewahren Sie es auf wie ein Passwort: Ein Programm kann damit alles tun, was das Token darf.',
    pending: 'Es funktioniert noch nicht: Zuerst muss es jemand genehmigen, der die Token verwaltet.',
    name: 'Geheimnis',
    copy: 'Geheimnis kopieren',
    example: 'So benutzen Sie es',
    exampleLead: 'Setzen Sie das Geheimnis in Ihrer Shell als TOKEN, dann:',
    copyExample: 'Beispiel kopieren',
    done: 'Ich habe es gespeichert',
  },
  refusals: {
    missing: 'Das dürfen Sie in der Organisation selbst nicht: {scopes}.',
    limitTitle: 'Mehr sind nicht erlaubt',
    limit: 'Entfernen Sie eines, das nicht mehr gebraucht wird, und versuchen Sie es dann noch einmal.',
    limitOfAccount:
      'Ein Dienstkonto hat höchstens zwei gültige Token. Widerrufen Sie eines, oder erneuern Sie eines, um ein neues Geheimnis zu erhalten.',
  },
};

export const tokenForm: Translated<typeof english.tokenForm> = {
  scopes: 'Was es darf',
  scopesMissing: 'Wählen Sie mindestens eines.',
  expiry: 'Läuft ab',
  inDays: '{days, plural, one {In # Tag} other {In # Tagen}}',
  onDate: 'An einem Tag Ihrer Wahl',
  date: 'Ablaufdatum',
  dateMissing: 'Wählen Sie ein Datum in der Zukunft.',
  submit: 'Token erstellen',
};

export const ownTokens: Translated<typeof english.ownTokens> = {
  title: 'Persönliche Token',
  lead: 'Mit einem persönlichen Token benutzt ein Skript oder Programm die API in Ihrem Namen, ohne Ihr Passwort.',
  list: 'Ihre Token',
  ended: 'In den letzten 90 Tagen beendet',
  none: 'Sie haben keine persönlichen Token. Erstellen Sie eines für ein Skript, einen Build-Server oder ein Werkzeug, das die API aufruft. Ein Token darf nur, was Sie auswählen, und nie mehr als Sie selbst. Sie können es jederzeit widerrufen.',
  life: 'Ein persönliches Token endet, wenn Sie es widerrufen, seine Organisation verlassen oder sich überall abmelden. Ein neues Passwort ändert nichts daran.',
  create: 'Token erstellen',
  createTitle: 'Neues persönliches Token',
  createLead: 'Es gilt nur in {organization}.',
  name: 'Name',
  nameHint: 'Damit Sie es wiedererkennen, zum Beispiel „Sicherungsskript“.',
  nameMissing: 'Geben Sie einen Namen für das Token ein.',
  noOrganization: 'Ein Token gilt in einer Organisation. Wählen Sie zuerst eine aus.',
  noScopes: 'Sie dürfen in {organization} zurzeit nichts tun, also könnte es auch ein Token nicht.',
  forbidden: '{organization} lässt zurzeit keine persönlichen Token zu. Fragen Sie jemanden, der die Token verwaltet.',
};
