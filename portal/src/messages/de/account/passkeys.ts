/** The messages of ../../en/account/passkeys.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/passkeys.ts';

export const passkeys: Translated<typeof english.passkeys> = {
  signIn: 'Mit Passkey anmelden',
  confirm: 'Mit Passkey bestätigen',
  refused:
    'Dieser Passkey wurde nicht akzeptiert. Verwenden Sie einen anderen, oder melden Sie sich auf andere Weise an.',
  expired: 'Das hat zu lange gedauert. Versuchen Sie es erneut.',
  cancelled: 'Es wurde kein Passkey verwendet: Sie haben abgebrochen, oder es hat zu lange gedauert.',
  registered: 'Dieses Gerät hat schon einen Passkey Ihres Kontos.',
  wrongAddress:
    'Unter dieser Adresse funktionieren Passkeys nicht. Öffnen Sie den Dienst unter seiner üblichen Adresse.',
  unsupported: 'Dieses Gerät kann keinen Passkey der hier nötigen Art speichern. Verwenden Sie ein anderes Gerät.',
  noWebAuthn: 'Dieser Browser unterstützt keine Passkeys.',
  title: 'Passkeys',
  lead: 'Melden Sie sich mit Fingerabdruck, Gesicht oder Displaysperre eines Geräts an statt mit einem Passwort.',
  none: 'Sie haben noch keinen Passkey.',
  add: 'Passkey hinzufügen',
  addTitle: 'Name des neuen Passkeys',
  nameMissing: 'Geben Sie einen Namen ein.',
  nameHint: 'Damit Sie ihn wiedererkennen, zum Beispiel der Name des Geräts.',
  continue: 'Weiter',
  rename: 'Umbenennen',
  renameOne: '{name} umbenennen',
  save: 'Speichern',
  remove: 'Entfernen',
  removeOne: '{name} entfernen',
  created: 'Erstellt am {date}',
  lastUsed: 'zuletzt benutzt {when}',
  neverUsed: 'nie benutzt',
  backedUp: 'Auf mehreren Geräten',
  useless: 'Für {address} erstellt: funktioniert hier nicht',
  added: 'Der Passkey {name} ist hinzugefügt. Sie können sich ab jetzt damit anmelden.',
  renamed: 'Der Passkey heißt jetzt {name}.',
  removed: 'Der Passkey {name} ist entfernt.',
  limit: 'Sie haben so viele Passkeys, wie ein Konto haben kann. Entfernen Sie zuerst einen.',
  last: 'Das ist Ihre letzte Anmeldemöglichkeit. Legen Sie zuerst ein Passwort fest, oder fügen Sie einen weiteren Passkey hinzu.',
  confirmRemoval: {
    title: '{name} entfernen?',
    text: 'Sie können sich damit nicht mehr anmelden. Angemeldete Geräte bleiben angemeldet.',
    submit: 'Passkey entfernen',
  },
};
