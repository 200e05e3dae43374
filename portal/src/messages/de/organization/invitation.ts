/** The messages of ../../en/organization/invitation.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invitation.ts';

export const invitation: Translated<typeof english.invitation> = {
  title: 'Einladung',
  join: '{organization} beitreten',
  as: {
    OWNER: 'Sie sind eingeladen, als Inhaber beizutreten.',
    ADMIN: 'Sie sind eingeladen, als Administrator beizutreten.',
    MEMBER: 'Sie sind eingeladen, als Mitglied beizutreten.',
    other: 'Sie sind eingeladen, mit der Rolle {role} beizutreten.',
  },
  openUntil: 'Die Einladung gilt bis zum {date}.',
  completeProfile: {
    lead: 'Wählen Sie den Namen und das Passwort, die Sie hier verwenden möchten.',
    submit: 'Konto erstellen und beitreten',
    address:
      'Ihr Konto gehört dann zu der Adresse, an die diese Einladung gesendet wurde. Falls Sie schon ein Konto mit einer anderen Adresse haben, kann es diese Einladung nicht annehmen: Bitten Sie die Person, die Sie eingeladen hat, stattdessen jene Adresse einzuladen.',
  },
  signIn: {
    lead: 'Die Adresse, an die diese Einladung gesendet wurde, hat schon ein Konto. Melden Sie sich damit an, dann können Sie hier annehmen.',
    submit: 'Zum Annehmen anmelden',
  },
  accept: {
    lead: 'Sie sind als <who>{email}</who> angemeldet. Wenn Sie annehmen, treten Sie {organization} bei. In Ihren anderen Organisationen bleiben Sie Mitglied.',
    submit: 'Einladung annehmen',
    later: 'Nicht jetzt',
  },
  otherAccount: {
    title: 'Diese Einladung ist für eine andere Person',
    lead: 'Sie sind als <who>{email}</who> angemeldet, und die Einladung zu {organization} wurde an eine andere Adresse gesendet.',
    advice:
      'Wenn auch diese Adresse Ihnen gehört, melden Sie sich hier ab, und machen Sie mit ihr weiter. Wenn nicht, bitten Sie die Person, die Sie eingeladen hat, die Adresse einzuladen, die Sie verwenden.',
    submit: 'Abmelden und weitermachen',
    stay: 'Angemeldet bleiben',
  },
  EXPIRED: {
    title: 'Diese Einladung ist abgelaufen',
    text: 'Mit ihr wurden Sie zu {organization} eingeladen. Bitten Sie die Person, von der sie kam, sie erneut zu senden: Dann kommt ein neuer Link an dieselbe Adresse.',
  },
  ACCEPTED: {
    title: 'Diese Einladung wurde angenommen',
    text: 'Der Link gilt einmal und wurde schon benutzt, um {organization} beizutreten.',
    visitor: 'Wenn Sie das waren, melden Sie sich wie gewohnt an.',
    signedIn: 'Wenn Sie das waren, müssen Sie nichts weiter tun.',
  },
  unknown: {
    title: 'Diese Einladung funktioniert nicht',
    text: 'Vielleicht wurde sie zurückgezogen oder durch eine neuere Nachricht ersetzt: Suchen Sie danach, und benutzen Sie den Link darin. Wenn es keine gibt, bitten Sie die Person, die Sie eingeladen hat, die Einladung erneut zu senden.',
  },
  seats:
    'Bitten Sie die Person, die Sie eingeladen hat, Platz zu schaffen. Die Einladung bleibt gültig, und Sie können sie dann hier annehmen.',
  changed: 'Die Einladung hat sich inzwischen geändert. Diese Seite zeigt jetzt ihren aktuellen Stand.',
};
