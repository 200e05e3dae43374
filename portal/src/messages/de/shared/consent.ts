/** The messages of ../../en/shared/consent.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/consent.ts';

export const consent: Translated<typeof english.consent> = {
  title: 'Dürfen wir Analysedaten erheben?',
  text: 'Wenn Sie es erlauben, wird eine zufällige Analysekennung 30 Tage lang mit einem Cookie dieses Browsers gespeichert. Wenn Sie ablehnen, gibt es keine Kennung, nur Ihre Antwort. Die Anmeldung funktioniert in beiden Fällen gleich, und Sie können Ihre Antwort ändern.',
  allow: 'Erlauben',
  decline: 'Ablehnen',
  now: {
    allowed: 'Zurzeit erlauben Sie es. Wenn Sie jetzt ablehnen, wird die Kennung gelöscht.',
    declined: 'Zurzeit lehnen Sie es ab.',
  },
  change: 'Datenschutzauswahl',
  notRecorded: 'Ihre Antwort wurde nicht gespeichert. Bitte versuchen Sie es erneut.',
  recorded: {
    allowed: 'Analyse erlaubt.',
    declined: 'Analyse abgelehnt. Es wird keine Kennung gespeichert.',
    withdrawn: 'Widerrufen. Die Kennung wurde gelöscht.',
  },
  section: {
    title: 'Datenschutz',
    lead: 'Ob in diesem Browser Analysedaten erhoben werden dürfen.',
    open: {
      title: 'Sie haben noch nicht geantwortet',
      text: 'Solange Sie es nicht erlauben, wird keine Analysekennung gespeichert.',
    },
    allowed: {
      title: 'Sie erlauben die Analyse',
      text: 'Für diesen Browser wird bis 30 Tage nach Ihrer Antwort eine zufällige Kennung gespeichert. Wenn Sie widerrufen, wird sie sofort gelöscht; wenn Sie die Analyse wieder erlauben, entsteht eine neue.',
    },
    declined: {
      title: 'Sie lehnen die Analyse ab',
      text: 'Es wird keine Kennung gespeichert, nur diese Antwort, 30 Tage lang.',
    },
    id: 'Ihre Kennung:',
    allow: 'Analyse erlauben',
    withdraw: 'Widerrufen',
  },
};
