/** The messages of ../../en/sign-in/step-up.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/step-up.ts';

export const stepUp: Translated<typeof english.stepUp> = {
  title: 'Bestätigen Sie, dass Sie es sind',
  lead: 'Ihre Anmeldung liegt eine Weile zurück. Danach geht es weiter mit dem, was Sie begonnen haben.',
  leadSecondFactor: 'Dafür ist mehr als Ihr Passwort nötig. Danach geht es weiter mit dem, was Sie begonnen haben.',
  pageLead: 'Ihre Anmeldung liegt eine Weile zurück. Danach geht es weiter.',
  pageLeadSecondFactor: 'Dafür ist mehr als Ihr Passwort nötig. Danach geht es weiter.',
  password: 'Ihr Passwort',
  submit: 'Bestätigen',
  wrongPassword: 'Das Passwort ist falsch.',
  code: 'Code Ihrer Authenticator-App oder ein Wiederherstellungscode',
  submitCode: 'Mit dem Code bestätigen',
  wrongCode: 'Der Code ist falsch oder wurde schon benutzt.',
  withProvider: 'Mit {provider} bestätigen',
  providerLeaves: 'Sie verlassen diese Seite, gehen zu {provider} und kommen hierher zurück. Beginnen Sie dann erneut.',
  nothing:
    'Ihr Konto hat kein Passwort, keinen Passkey und keinen Code, nach dem hier gefragt werden kann. Melden Sie sich ab und wieder an: Danach werden Sie zehn Minuten lang nicht gefragt.',
  noSecondFactor:
    'Ihr Konto hat noch keinen zweiten Faktor. Richten Sie unter „Konto“, „Sicherheit“ einen Passkey oder Einmalcodes ein, und machen Sie dort weiter.',
  setUp: 'Zweiten Faktor einrichten',
};

export const secondFactorNeeded: Translated<typeof english.secondFactorNeeded> = {
  organization: {
    title: '{organization} verlangt einen zweiten Faktor',
    text: 'Die Anmeldung mit einem Passwort oder einem Anbieter allein reicht dort nicht: Solange Sie nicht mit einem Passkey oder einem Einmalcode bestätigen, dass Sie es sind, können Sie die Organisation nicht benutzen. Sie können aber zu einer anderen wechseln oder diese verlassen.',
  },
  platform: {
    title: 'Super-Admins brauchen hier einen zweiten Faktor',
    text: 'Diese Seite steht Sitzungen offen, die mit einem Passkey oder einem Einmalcode bestätigt wurden.',
  },
  confirm: 'Bestätigen, dass Sie es sind',
  setUp: 'Zweiten Faktor einrichten',
  setUpHere: 'Richten Sie unten einen ein. Danach können Sie sofort wieder alles benutzen.',
};
